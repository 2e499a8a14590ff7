-- Schedules, and their firings: one row for each planned time that became due. The row decides which time starts which run.
CREATE TABLE schedules (
  id            text PRIMARY KEY,
  tenant_id     text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name          text NOT NULL,
  start         jsonb NOT NULL,
  cron          text,
  every_seconds integer,
  time_zone     text NOT NULL,
  until         timestamptz(3),
  overlap       text NOT NULL,
  missed        text NOT NULL,
  paused_at     timestamptz(3),
  next_at       timestamptz(3),
  created_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX schedules_tenant_id_name_idx ON schedules (tenant_id, name);
CREATE INDEX schedules_next_at_idx ON schedules (next_at);

CREATE TABLE schedule_firings (
  schedule_id    text NOT NULL REFERENCES schedules (id) ON DELETE CASCADE ON UPDATE CASCADE,
  planned_at     timestamptz(3) NOT NULL,
  tenant_id      text NOT NULL,
  is_manual      boolean NOT NULL DEFAULT false,
  status         text NOT NULL DEFAULT 'due',
  claimed_until  timestamptz(3),
  started_run_id text,
  problem        jsonb,
  PRIMARY KEY (schedule_id, planned_at)
);
CREATE INDEX schedule_firings_tenant_id_idx ON schedule_firings (tenant_id);
CREATE INDEX schedule_firings_due_idx ON schedule_firings (planned_at) WHERE status = 'due';

SELECT protect_tenant_table('schedules');
SELECT protect_tenant_table('schedule_firings');

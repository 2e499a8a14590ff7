-- Plans that a tenant saved to run again, and their versions. `version` is the newest.
CREATE TABLE saved_plans (
  id          text PRIMARY KEY,
  tenant_id   text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name        text NOT NULL,
  description text NOT NULL,
  version     integer NOT NULL DEFAULT 1,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  updated_at  timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX saved_plans_tenant_id_name_key ON saved_plans (tenant_id, name);
CREATE INDEX saved_plans_tenant_id_created_at_id_idx ON saved_plans (tenant_id, created_at DESC, id DESC);
SELECT protect_tenant_table('saved_plans');

CREATE TABLE saved_plan_versions (
  saved_plan_id text NOT NULL REFERENCES saved_plans (id) ON DELETE CASCADE ON UPDATE CASCADE,
  tenant_id     text NOT NULL,
  version       integer NOT NULL,
  definition    jsonb NOT NULL,
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (saved_plan_id, version)
);
SELECT protect_tenant_table('saved_plan_versions');

-- P4: what a client told a plan while it runs. A step takes what no other step took; the same step, repeated, takes the same again.
CREATE TABLE plan_commands (
  id         text PRIMARY KEY,
  tenant_id  text NOT NULL,
  run_id     text NOT NULL REFERENCES runs (id) ON DELETE CASCADE ON UPDATE CASCADE,
  seq        bigserial NOT NULL,
  command    jsonb NOT NULL,
  handled_by text,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX plan_commands_run_id_seq_idx ON plan_commands (run_id, seq);
SELECT protect_tenant_table('plan_commands');

-- P9: how often a tenant's plans used one tool after another, and what was asked of each tool.
CREATE TABLE tool_edges (
  tenant_id  text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  from_tool  text NOT NULL,
  to_tool    text NOT NULL,
  count      integer NOT NULL,
  confidence double precision NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, from_tool, to_tool)
);
SELECT protect_tenant_table('tool_edges');

CREATE TABLE tool_requests (
  tenant_id  text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  tool       text NOT NULL,
  lesson_id  text NOT NULL,
  request    text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, tool, lesson_id)
);
SELECT protect_tenant_table('tool_requests');

-- What there is to learn from a plan that succeeded: one per run, so that it cannot count twice.
CREATE TABLE tool_lessons (
  run_id     text PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE ON UPDATE CASCADE,
  tenant_id  text NOT NULL,
  lesson     jsonb NOT NULL,
  attempts   integer NOT NULL DEFAULT 0,
  due_at     timestamptz(3) NOT NULL DEFAULT now(),
  learnt_at  timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX tool_lessons_due_idx ON tool_lessons (due_at) WHERE learnt_at IS NULL;
SELECT protect_tenant_table('tool_lessons');

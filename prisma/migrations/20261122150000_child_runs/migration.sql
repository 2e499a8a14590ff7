-- A run that a node of another run asked for; its end completes the task of the node.
ALTER TABLE runs ADD COLUMN parent_run_id text REFERENCES runs (id) ON DELETE SET NULL, ADD COLUMN parent_task_id text;
CREATE INDEX runs_children ON runs (parent_run_id) WHERE parent_run_id IS NOT NULL;

-- Since when no runner could serve the run, and the epoch at which one gave it back last: one epoch after another without a step.
ALTER TABLE runs ADD COLUMN unserved_since timestamptz(3), ADD COLUMN unserved_epoch integer;

-- One active run per session holds for parents only.
DROP INDEX runs_one_active_per_session;
CREATE UNIQUE INDEX runs_one_active_per_session ON runs (session_id)
  WHERE status IN ('queued', 'running', 'waiting') AND NOT enqueued AND parent_run_id IS NULL;

-- What a run has spent, with its children: of a child under way the whole part that it was given counts.
CREATE FUNCTION run_spending(p_run_id text, OUT tokens bigint, OUT cost bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
  child RECORD;
  inner_spending RECORD;
BEGIN
  SELECT coalesce(sum(c.input_tokens::bigint + c.output_tokens), 0)::bigint, coalesce(sum(c.cost), 0)::bigint
    INTO tokens, cost FROM model_calls c WHERE c.run_id = p_run_id;
  FOR child IN SELECT id, max_tokens, max_cost, status FROM runs WHERE parent_run_id = p_run_id LOOP
    SELECT * INTO inner_spending FROM run_spending(child.id);
    IF child.status IN ('queued', 'running', 'waiting') THEN
      tokens := tokens + greatest(inner_spending.tokens, coalesce(child.max_tokens, 0));
      cost := cost + greatest(inner_spending.cost, coalesce(child.max_cost, 0));
    ELSE
      tokens := tokens + inner_spending.tokens;
      cost := cost + inner_spending.cost;
    END IF;
  END LOOP;
END $$;

-- As before; what a run has spent includes its children.
CREATE OR REPLACE FUNCTION "reserve_model_call"(
  "p_tenant_id" TEXT, "p_run_id" TEXT, "p_epoch" INTEGER, "p_effect_key" TEXT, "p_tokens" BIGINT, "p_cost" BIGINT
) RETURNS TABLE ("outcome" TEXT, "spent" BIGINT, "reserved" BIGINT, "max" BIGINT) LANGUAGE plpgsql AS $$
DECLARE
  tenant RECORD;
  run RECORD;
  month RECORD;
BEGIN
  SELECT max_monthly_tokens, max_monthly_cost INTO tenant FROM tenants WHERE id = p_tenant_id FOR NO KEY UPDATE;
  SELECT r.max_tokens, r.max_cost, s.tokens, s.cost,
         (SELECT coalesce(sum(m.tokens), 0)::bigint FROM model_reservations m
          WHERE m.run_id = r.id AND m.effect_key <> p_effect_key) AS held_tokens,
         (SELECT coalesce(sum(m.cost), 0)::bigint FROM model_reservations m
          WHERE m.run_id = r.id AND m.effect_key <> p_effect_key) AS held_cost
    INTO run FROM runs r CROSS JOIN LATERAL run_spending(r.id) s
    WHERE r.id = p_run_id AND r.tenant_id = p_tenant_id AND r.epoch = p_epoch AND r.status = 'running';
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'stale', 0::bigint, 0::bigint, 0::bigint;
    RETURN;
  END IF;
  -- The step's own earlier reservation gives way to this one; what runs that have ended left behind goes too.
  DELETE FROM model_reservations m USING runs r
    WHERE m.tenant_id = p_tenant_id AND r.id = m.run_id
      AND (m.effect_key = p_effect_key OR r.status NOT IN ('queued', 'running', 'waiting'));
  IF run.tokens + run.held_tokens + p_tokens > run.max_tokens THEN
    RETURN QUERY SELECT 'run_tokens', run.tokens, run.held_tokens, run.max_tokens;
    RETURN;
  END IF;
  IF run.cost + run.held_cost + p_cost > run.max_cost THEN
    RETURN QUERY SELECT 'run_cost', run.cost, run.held_cost, run.max_cost;
    RETURN;
  END IF;
  IF tenant.max_monthly_tokens IS NOT NULL OR tenant.max_monthly_cost IS NOT NULL THEN
    SELECT * INTO month FROM tenant_month(p_tenant_id);
    IF month.spent_tokens + month.reserved_tokens + p_tokens > tenant.max_monthly_tokens THEN
      RETURN QUERY SELECT 'tenant_tokens', month.spent_tokens, month.reserved_tokens, tenant.max_monthly_tokens;
      RETURN;
    END IF;
    IF month.spent_cost + month.reserved_cost + p_cost > tenant.max_monthly_cost THEN
      RETURN QUERY SELECT 'tenant_cost', month.spent_cost, month.reserved_cost, tenant.max_monthly_cost;
      RETURN;
    END IF;
  END IF;
  INSERT INTO model_reservations (effect_key, tenant_id, run_id, epoch, tokens, cost)
    VALUES (p_effect_key, p_tenant_id, p_run_id, p_epoch, p_tokens, p_cost);
  RETURN QUERY SELECT 'reserved', 0::bigint, 0::bigint, 0::bigint;
END
$$;

-- What the reconciler looks for.
CREATE INDEX tasks_child_runs ON tasks (run_id) WHERE name = 'run' AND status = 'pending';
CREATE INDEX runs_active_children ON runs (parent_run_id) WHERE parent_run_id IS NOT NULL AND status IN ('queued', 'running', 'waiting');

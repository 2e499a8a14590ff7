-- Reserves the most that a model call may cost, if the budgets of the run (with its children) and of the tenant's month allow it.
-- The tenant's row is locked, so that concurrent reservations see each other. `outcome` is `reserved`, `stale` (the run has
-- another epoch) or the budget that is exceeded, with its figures.
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
          WHERE m.run_id = r.id AND m.effect_key <> p_effect_key AND m.created_at > now() - interval '35 minutes') AS held_tokens,
         (SELECT coalesce(sum(m.cost), 0)::bigint FROM model_reservations m
          WHERE m.run_id = r.id AND m.effect_key <> p_effect_key AND m.created_at > now() - interval '35 minutes') AS held_cost
    INTO run FROM runs r CROSS JOIN LATERAL run_spending(r.id) s
    WHERE r.id = p_run_id AND r.tenant_id = p_tenant_id AND r.epoch = p_epoch AND r.status = 'running';
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'stale', 0::bigint, 0::bigint, 0::bigint;
    RETURN;
  END IF;
  -- Replaces the step's own earlier reservation, and deletes reservations of runs that have ended, and of calls that must
  -- have ended: an answer may take 30 minutes (LONGEST_ANSWER_MS), and a retry reserves again.
  DELETE FROM model_reservations m USING runs r
    WHERE m.tenant_id = p_tenant_id AND r.id = m.run_id
      AND (m.effect_key = p_effect_key OR r.status NOT IN ('queued', 'running', 'waiting')
        OR m.created_at <= now() - interval '35 minutes');
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

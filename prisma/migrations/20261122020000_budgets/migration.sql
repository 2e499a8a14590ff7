-- What a run or a tenant may spend (X7). Costs are millionths of the currency that the prices are in; NULL means no limit.
ALTER TABLE "tenants" ADD COLUMN "max_monthly_cost" BIGINT;
ALTER TABLE "runs" ADD COLUMN "max_tokens" BIGINT, ADD COLUMN "max_cost" BIGINT;

-- A row is a step's call with what the provider reported for it, attempts that failed and steps that were repeated included.
ALTER TABLE "model_calls" ADD COLUMN "cost" BIGINT NOT NULL DEFAULT 0;
-- The sums of a tenant's month come from the index alone.
DROP INDEX "model_calls_tenant_id_created_at_idx";
CREATE INDEX "model_calls_month" ON "model_calls" ("tenant_id", "created_at") INCLUDE ("input_tokens", "output_tokens", "cost");

-- What a call in flight may cost at most. A step that is repeated after a crash takes its reservation over.
CREATE TABLE "model_reservations" (
    "effect_key" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "tokens" BIGINT NOT NULL,
    "cost" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "model_reservations_pkey" PRIMARY KEY ("effect_key"),
    CONSTRAINT "model_reservations_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "model_reservations_run_id_idx" ON "model_reservations" ("run_id");
CREATE INDEX "model_reservations_tenant_id_idx" ON "model_reservations" ("tenant_id");

-- What a tenant has spent in the month (UTC) and what its calls in flight may still take. Reservations of runs that have
-- ended hold nothing.
CREATE FUNCTION "tenant_month"("p_tenant_id" TEXT)
RETURNS TABLE ("spent_tokens" BIGINT, "spent_cost" BIGINT, "reserved_tokens" BIGINT, "reserved_cost" BIGINT)
LANGUAGE sql STABLE AS $$
  SELECT calls.tokens, calls.cost, held.tokens, held.cost
  FROM (SELECT coalesce(sum(input_tokens::bigint + output_tokens), 0)::bigint AS tokens, coalesce(sum(cost), 0)::bigint AS cost
        FROM model_calls
        WHERE tenant_id = p_tenant_id
          AND created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC') calls,
       (SELECT coalesce(sum(m.tokens), 0)::bigint AS tokens, coalesce(sum(m.cost), 0)::bigint AS cost
        FROM model_reservations m JOIN runs r ON r.id = m.run_id
        WHERE m.tenant_id = p_tenant_id AND r.status IN ('queued', 'running', 'waiting')) held
$$;

-- Reserves the most that a model call may take, if the budgets of the run and of its tenant's month allow it. The tenant's
-- row is locked, so that calls that are reserved at the same time see each other. `outcome` is `reserved`, `stale` (the
-- run is held at another epoch) or the budget that is in the way, with its figures.
CREATE FUNCTION "reserve_model_call"(
  "p_tenant_id" TEXT, "p_run_id" TEXT, "p_epoch" INTEGER, "p_effect_key" TEXT, "p_tokens" BIGINT, "p_cost" BIGINT
) RETURNS TABLE ("outcome" TEXT, "spent" BIGINT, "reserved" BIGINT, "max" BIGINT) LANGUAGE plpgsql AS $$
DECLARE
  tenant RECORD;
  run RECORD;
  month RECORD;
BEGIN
  SELECT max_monthly_tokens, max_monthly_cost INTO tenant FROM tenants WHERE id = p_tenant_id FOR NO KEY UPDATE;
  SELECT r.max_tokens, r.max_cost,
         (SELECT coalesce(sum(c.input_tokens::bigint + c.output_tokens), 0)::bigint FROM model_calls c WHERE c.run_id = r.id) AS tokens,
         (SELECT coalesce(sum(c.cost), 0)::bigint FROM model_calls c WHERE c.run_id = r.id) AS cost,
         (SELECT coalesce(sum(m.tokens), 0)::bigint FROM model_reservations m
          WHERE m.run_id = r.id AND m.effect_key <> p_effect_key) AS held_tokens,
         (SELECT coalesce(sum(m.cost), 0)::bigint FROM model_reservations m
          WHERE m.run_id = r.id AND m.effect_key <> p_effect_key) AS held_cost
    INTO run FROM runs r
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

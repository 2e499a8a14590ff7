-- Hands queued runs to the runners and returns them in the order in which their jobs have to be queued.
-- First, the oldest waiting run of each session without an active run becomes active. Each tenant has at most max_active_runs
-- dispatched or running runs; runs of a suspended tenant wait. Within a tenant, runs are dispatched by priority and age; over tenants by weighted round robin:
-- the n-th run of a tenant in a round comes at n / weight.
-- A function, so that the statements after the lock see what the previous dispatcher committed.
CREATE OR REPLACE FUNCTION "dispatch_runs"() RETURNS TABLE ("run_id" TEXT, "run_epoch" INTEGER, "run_express" BOOLEAN) LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM runs WHERE status = 'queued' AND dispatched_at IS NULL) THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(7370002);
  UPDATE runs SET enqueued = false WHERE runs.id IN (
    SELECT DISTINCT ON (r.session_id) r.id FROM runs r
    WHERE r.status = 'queued' AND r.enqueued AND NOT EXISTS (
      SELECT 1 FROM runs a
      WHERE a.session_id = r.session_id AND a.status IN ('queued', 'running', 'waiting') AND NOT a.enqueued)
    ORDER BY r.session_id, r.created_at, r.id);
  RETURN QUERY
    WITH active AS (
      SELECT tenant_id, count(*)::int AS held FROM runs
      WHERE status = 'running' OR (status = 'queued' AND dispatched_at IS NOT NULL)
      GROUP BY tenant_id
    ),
    lane AS (
      SELECT tenant_id, count(*)::int AS taken FROM runs
      WHERE express AND status IN ('queued', 'running', 'waiting')
      GROUP BY tenant_id
    ),
    ranked AS (
      SELECT r.id, r.created_at, t.weight,
             row_number() OVER (PARTITION BY r.tenant_id ORDER BY r.priority DESC, r.created_at, r.id) AS turn,
             t.max_active_runs - coalesce(a.held, 0) AS free, t.weight - coalesce(l.taken, 0) AS express_free
      FROM runs r JOIN tenants t ON t.id = r.tenant_id
        LEFT JOIN active a ON a.tenant_id = r.tenant_id LEFT JOIN lane l ON l.tenant_id = r.tenant_id
      WHERE r.status = 'queued' AND r.dispatched_at IS NULL AND NOT r.enqueued AND t.suspended_at IS NULL
    ),
    handed_out AS (
      UPDATE runs SET dispatched_at = now(), checked_at = now(), express = ranked.turn <= ranked.express_free
      FROM ranked WHERE runs.id = ranked.id AND ranked.turn <= ranked.free AND runs.dispatched_at IS NULL
      RETURNING runs.id, runs.epoch, runs.express, ranked.turn, ranked.weight, ranked.created_at
    )
    SELECT h.id, h.epoch, h.express FROM handed_out h ORDER BY h.turn::float8 / h.weight, h.created_at, h.id;
END
$$;

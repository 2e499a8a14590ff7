-- The fair dispatcher: gives queued runs to the runners, round robin over tenants and up to each tenant's cap. A function,
-- so that the statement after the lock sees what the dispatcher before it has done.
CREATE FUNCTION "dispatch_runs"() RETURNS TABLE ("run_id" TEXT, "run_epoch" INTEGER) LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM runs WHERE status = 'queued' AND dispatched_at IS NULL) THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(7370002);
  RETURN QUERY
    WITH active AS (
      SELECT tenant_id, count(*)::int AS held FROM runs
      WHERE status = 'running' OR (status = 'queued' AND dispatched_at IS NOT NULL)
      GROUP BY tenant_id
    ),
    ranked AS (
      SELECT r.id, r.created_at, row_number() OVER (PARTITION BY r.tenant_id ORDER BY r.created_at, r.id) AS turn,
             t.max_active_runs - coalesce(a.held, 0) AS free
      FROM runs r JOIN tenants t ON t.id = r.tenant_id LEFT JOIN active a ON a.tenant_id = r.tenant_id
      WHERE r.status = 'queued' AND r.dispatched_at IS NULL
    ),
    handed_out AS (
      UPDATE runs SET dispatched_at = now(), checked_at = now()
      FROM ranked WHERE runs.id = ranked.id AND ranked.turn <= ranked.free AND runs.dispatched_at IS NULL
      RETURNING runs.id, runs.epoch, ranked.turn, ranked.created_at
    )
    SELECT h.id, h.epoch FROM handed_out h ORDER BY h.turn, h.created_at;
END
$$;

-- The run's row changes with every step: room on its page keeps the indexes out of it.
ALTER TABLE "runs" SET (fillfactor = 50);
-- Few runs are active; the dispatcher and the reconciler look at these alone.
CREATE INDEX "runs_active" ON "runs" ("tenant_id", "created_at") WHERE "status" IN ('queued', 'running');

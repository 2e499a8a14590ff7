ALTER TABLE "runs" ADD COLUMN "enqueued" BOOLEAN NOT NULL DEFAULT false, ADD COLUMN "swept_at" TIMESTAMPTZ(3);

-- One active run per session; runs that wait for it are not active yet.
DROP INDEX "runs_one_active_per_session";
CREATE UNIQUE INDEX "runs_one_active_per_session" ON "runs"("session_id")
  WHERE "status" IN ('queued', 'running', 'waiting') AND NOT "enqueued";
CREATE INDEX "runs_enqueued" ON "runs" ("session_id", "created_at") WHERE "status" = 'queued' AND "enqueued";
-- What the sweeper has still to look at.
CREATE INDEX "runs_unswept" ON "runs" ("finished_at") WHERE "finished_at" IS NOT NULL AND "swept_at" IS NULL;

CREATE TABLE "idempotency_keys" (
    "tenant_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "attempt" TEXT NOT NULL,
    "status" INTEGER,
    "body" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("tenant_id", "key")
);
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys" ("created_at");

-- As before, and first of all: the oldest waiting run of a session without an active one becomes active.
CREATE OR REPLACE FUNCTION "dispatch_runs"() RETURNS TABLE ("run_id" TEXT, "run_epoch" INTEGER) LANGUAGE plpgsql AS $$
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
    ranked AS (
      SELECT r.id, r.created_at, row_number() OVER (PARTITION BY r.tenant_id ORDER BY r.created_at, r.id) AS turn,
             t.max_active_runs - coalesce(a.held, 0) AS free
      FROM runs r JOIN tenants t ON t.id = r.tenant_id LEFT JOIN active a ON a.tenant_id = r.tenant_id
      WHERE r.status = 'queued' AND r.dispatched_at IS NULL AND NOT r.enqueued
    ),
    handed_out AS (
      UPDATE runs SET dispatched_at = now(), checked_at = now()
      FROM ranked WHERE runs.id = ranked.id AND ranked.turn <= ranked.free AND runs.dispatched_at IS NULL
      RETURNING runs.id, runs.epoch, ranked.turn, ranked.created_at
    )
    SELECT h.id, h.epoch FROM handed_out h ORDER BY h.turn, h.created_at;
END
$$;

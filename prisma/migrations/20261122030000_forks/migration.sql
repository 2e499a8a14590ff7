-- Where a run goes on from, and which session a session was forked from; forgotten when that is deleted.
ALTER TABLE "runs"
    ADD COLUMN "origin_run_id" TEXT,
    ADD COLUMN "origin_checkpoint_id" TEXT,
    ADD COLUMN "pruned_at" TIMESTAMPTZ(3);
ALTER TABLE "sessions"
    ADD COLUMN "forked_from" TEXT,
    ADD COLUMN "objects_swept_at" TIMESTAMPTZ(3);
-- The graph checkpoint whose step made the named one; NULL for those made before this migration and for copies.
ALTER TABLE "named_checkpoints" ADD COLUMN "after_checkpoint_id" TEXT;

ALTER TABLE "runs" ADD CONSTRAINT "runs_origin_run_id_fkey" FOREIGN KEY ("origin_run_id") REFERENCES "runs"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_forked_from_fkey" FOREIGN KEY ("forked_from") REFERENCES "sessions"("id") ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX "runs_origin" ON "runs" ("origin_run_id") WHERE "origin_run_id" IS NOT NULL;
CREATE INDEX "sessions_forked" ON "sessions" ("forked_from") WHERE "forked_from" IS NOT NULL;
CREATE INDEX "named_checkpoints_run_id_idx" ON "named_checkpoints" ("run_id");

CREATE TABLE "session_copies" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_copies_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "session_copies" ADD CONSTRAINT "session_copies_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A database that has row-level security already: the migration that brings it protects the tables it finds.
DO $$
BEGIN
  IF to_regproc('protect_tenant_table') IS NOT NULL THEN
    PERFORM protect_tenant_table('session_copies');
  END IF;
END
$$;

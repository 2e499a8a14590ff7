-- A page of a list reads about as many rows as it shows, however many there are: the order of each list by its filters.

-- Decisions, by status and all of them.
CREATE INDEX "tasks_tenant_id_queue_status_created_at_id_idx" ON "tasks"("tenant_id", "queue", "status", "created_at", "id");
CREATE INDEX "tasks_tenant_id_queue_created_at_id_idx" ON "tasks"("tenant_id", "queue", "created_at", "id");
DROP INDEX "tasks_tenant_id_queue_status_idx";
-- Decisions of one assignee; most have none.
CREATE INDEX "tasks_assigned" ON "tasks" ("tenant_id", "assignee", "status", "created_at", "id") WHERE "assignee" IS NOT NULL;
-- Open decisions whose deadline has passed, which the reconciler asks for in each round.
CREATE INDEX "tasks_due" ON "tasks" ("deadline") WHERE "status" = 'pending' AND "deadline" IS NOT NULL;

CREATE INDEX "runs_tenant_id_status_created_at_id_idx" ON "runs"("tenant_id", "status", "created_at" DESC, "id" DESC);

CREATE INDEX "exports_session_id_created_at_id_idx" ON "exports"("session_id", "created_at" DESC, "id" DESC);

CREATE TABLE "tenants" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "max_active_runs" INTEGER NOT NULL DEFAULT 4,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "api_keys" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "sessions" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "title" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "session_files" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "folder" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "object_key" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_files_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "runs" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "mode" TEXT,
    "status" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "step" INTEGER NOT NULL DEFAULT 0,
    "event_seq" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "dispatched_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "crashes" INTEGER NOT NULL DEFAULT 0,
    "inputs" JSONB NOT NULL,
    "summary" JSONB NOT NULL DEFAULT '{}',
    "model" TEXT,
    "prompt_version" TEXT,
    "graph_version" TEXT NOT NULL,
    "error" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "tasks" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "queue" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "checkpoint_id" TEXT NOT NULL,
    "interrupt_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "output" JSONB,
    "error" JSONB,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "enqueues" INTEGER NOT NULL DEFAULT 1,
    "deadline" TIMESTAMPTZ(3),
    "completed_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "run_events" (
    "run_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "effect_key" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_events_pkey" PRIMARY KEY ("run_id", "seq")
);

CREATE TABLE "named_checkpoints" (
    "session_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "manuscript_key" TEXT NOT NULL,
    "object_key" TEXT NOT NULL,
    "effect_key" TEXT NOT NULL,
    "validated" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "named_checkpoints_pkey" PRIMARY KEY ("session_id", "id")
);

CREATE TABLE "exports" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "effect_key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "object_key" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "exports_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "model_calls" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "effect_key" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "estimated" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "model_calls_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "remembered_decisions" (
    "tenant_id" TEXT NOT NULL,
    "source_hash" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "decision" TEXT NOT NULL,
    "file" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "remembered_decisions_pkey" PRIMARY KEY ("tenant_id", "source_hash", "ref")
);

CREATE TABLE "graph_checkpoints" (
    "thread_id" TEXT NOT NULL,
    "ns" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "parent_id" TEXT,
    "head" JSONB NOT NULL,
    "metadata" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "graph_checkpoints_pkey" PRIMARY KEY ("thread_id", "ns", "id")
);

CREATE TABLE "graph_blobs" (
    "thread_id" TEXT NOT NULL,
    "ns" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "value" BYTEA,

    CONSTRAINT "graph_blobs_pkey" PRIMARY KEY ("thread_id", "ns", "channel", "version")
);

CREATE TABLE "graph_writes" (
    "thread_id" TEXT NOT NULL,
    "ns" TEXT NOT NULL,
    "checkpoint_id" TEXT NOT NULL,
    "task_id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "task_path" TEXT NOT NULL DEFAULT '',
    "channel" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "value" BYTEA,

    CONSTRAINT "graph_writes_pkey" PRIMARY KEY ("thread_id", "ns", "checkpoint_id", "task_id", "idx")
);

CREATE UNIQUE INDEX "api_keys_prefix_key" ON "api_keys"("prefix");
CREATE INDEX "sessions_tenant_id_created_at_idx" ON "sessions"("tenant_id", "created_at" DESC);
CREATE UNIQUE INDEX "session_files_session_id_folder_name_key" ON "session_files"("session_id", "folder", "name");
CREATE INDEX "runs_tenant_id_created_at_idx" ON "runs"("tenant_id", "created_at" DESC);
CREATE INDEX "runs_session_id_created_at_idx" ON "runs"("session_id", "created_at" DESC);
CREATE INDEX "runs_status_checked_at_idx" ON "runs"("status", "checked_at");
CREATE INDEX "tasks_run_id_status_idx" ON "tasks"("run_id", "status");
CREATE INDEX "tasks_tenant_id_queue_status_idx" ON "tasks"("tenant_id", "queue", "status");
CREATE UNIQUE INDEX "run_events_run_id_effect_key_key" ON "run_events"("run_id", "effect_key");
CREATE UNIQUE INDEX "named_checkpoints_effect_key_key" ON "named_checkpoints"("effect_key");
CREATE UNIQUE INDEX "exports_effect_key_key" ON "exports"("effect_key");
CREATE UNIQUE INDEX "model_calls_effect_key_key" ON "model_calls"("effect_key");
CREATE INDEX "model_calls_run_id_idx" ON "model_calls"("run_id");

ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "session_files" ADD CONSTRAINT "session_files_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "runs" ADD CONSTRAINT "runs_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "run_events" ADD CONSTRAINT "run_events_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "named_checkpoints" ADD CONSTRAINT "named_checkpoints_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "exports" ADD CONSTRAINT "exports_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "model_calls" ADD CONSTRAINT "model_calls_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One active run per session; a second submission is refused (409), whoever sends it.
CREATE UNIQUE INDEX "runs_one_active_per_session" ON "runs"("session_id") WHERE "status" IN ('queued', 'running', 'waiting');

-- Limits of a tenant; NULL takes the gateway's setting (requests, storage) or means no limit (tokens).
ALTER TABLE "tenants"
    ADD COLUMN "suspended_at" TIMESTAMPTZ(3),
    ADD COLUMN "requests_per_minute" INTEGER,
    ADD COLUMN "max_storage_bytes" BIGINT,
    ADD COLUMN "max_monthly_tokens" BIGINT;

-- Keys made before scopes existed keep every right.
ALTER TABLE "api_keys"
    ADD COLUMN "scopes" TEXT[] NOT NULL DEFAULT ARRAY['read', 'write', 'admin'],
    ADD COLUMN "expires_at" TIMESTAMPTZ(3);

CREATE TABLE "audit_log" (
    "id" BIGSERIAL NOT NULL,
    "tenant_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor" TEXT NOT NULL,
    "by_token" BOOLEAN NOT NULL DEFAULT false,
    "action" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "request_id" TEXT,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "purges" (
    "prefix" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "purges_pkey" PRIMARY KEY ("prefix")
);

CREATE INDEX "api_keys_tenant_id_idx" ON "api_keys"("tenant_id");
CREATE INDEX "audit_log_tenant_id_id_idx" ON "audit_log"("tenant_id", "id" DESC);
CREATE INDEX "session_files_tenant_id_idx" ON "session_files"("tenant_id");
CREATE INDEX "exports_tenant_id_idx" ON "exports"("tenant_id");
CREATE INDEX "model_calls_tenant_id_created_at_idx" ON "model_calls"("tenant_id", "created_at");

ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One counter over all tenants told each of them how much the others did.
ALTER TABLE "audit_log" ALTER COLUMN "id" DROP DEFAULT;
DROP SEQUENCE "audit_log_id_seq";
ALTER TABLE "audit_log"
    ALTER COLUMN "id" TYPE TEXT USING 'aud_' || replace(gen_random_uuid()::text, '-', ''),
    ALTER COLUMN "id" SET DEFAULT 'aud_' || replace(gen_random_uuid()::text, '-', '');

DROP INDEX "audit_log_tenant_id_id_idx";
CREATE INDEX "audit_log_tenant_id_at_id_idx" ON "audit_log"("tenant_id", "at", "id");

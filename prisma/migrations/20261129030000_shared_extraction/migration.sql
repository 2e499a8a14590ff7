-- Of an extracted text: what it was made from and by, so that other sessions of the tenant can take it over (X6).
ALTER TABLE "session_files" ADD COLUMN "extraction" TEXT;
CREATE INDEX "session_files_tenant_id_extraction_idx" ON "session_files"("tenant_id", "extraction");

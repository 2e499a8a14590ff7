-- The order in which vectors came, by which a process that keeps them sees that there are others; and whose they are, for filters.
ALTER TABLE "knowledge_vectors" ADD COLUMN "number" BIGSERIAL NOT NULL, ADD COLUMN "source_number" INTEGER NOT NULL;
DROP INDEX "knowledge_vectors_collection_id_model_idx";
CREATE INDEX "knowledge_vectors_collection_id_model_number_idx" ON "knowledge_vectors"("collection_id", "model", "number");
SELECT protect_tenant_table('knowledge_vectors');

-- What a tenant knows: collections of sources, cut into passages and found through an inverted index.
CREATE TABLE "knowledge_collections" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "purpose" TEXT NOT NULL,
    "vector_model" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "knowledge_collections_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "knowledge_collections_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "knowledge_collections_tenant_id_created_at_id_idx" ON "knowledge_collections"("tenant_id", "created_at" DESC, "id" DESC);

-- `number` names the source in the index. A worker holds it until `lease_until`; `epoch` fences its writes.
CREATE TABLE "knowledge_sources" (
    "id" TEXT NOT NULL,
    "number" SERIAL NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "collection_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "title" TEXT,
    "author" TEXT,
    "priority" TEXT NOT NULL DEFAULT 'supporting',
    "language" TEXT,
    "given_language" TEXT,
    "media_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "object_key" TEXT NOT NULL,
    "text_key" TEXT,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "problem" TEXT,
    "chunks" INTEGER NOT NULL DEFAULT 0,
    "chunks_done" INTEGER NOT NULL DEFAULT 0,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "knowledge_sources_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "knowledge_sources_collection_id_fkey" FOREIGN KEY ("collection_id") REFERENCES "knowledge_collections"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "knowledge_sources_number_key" ON "knowledge_sources"("number");
CREATE UNIQUE INDEX "knowledge_sources_collection_id_name_key" ON "knowledge_sources"("collection_id", "name");
CREATE UNIQUE INDEX "knowledge_sources_collection_id_sha256_key" ON "knowledge_sources"("collection_id", "sha256");
CREATE INDEX "knowledge_sources_collection_id_created_at_id_idx" ON "knowledge_sources"("collection_id", "created_at" DESC, "id" DESC);
CREATE INDEX "knowledge_sources_tenant_id_idx" ON "knowledge_sources"("tenant_id");
CREATE INDEX "knowledge_sources_due_idx" ON "knowledge_sources"("next_at") WHERE state IN ('queued', 'indexing');

-- A part of a collection's inverted index. One that is not live belongs to a source that is being indexed. Of a passage that is
-- gone the lengths are 0; `stale` says that there are such, so that the segment is written anew without them. Common terms stand
-- one a line.
CREATE TABLE "knowledge_segments" (
    "id" BIGSERIAL NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "collection_id" TEXT NOT NULL,
    "source_id" TEXT,
    "live" BOOLEAN NOT NULL DEFAULT false,
    "stale" BOOLEAN NOT NULL DEFAULT false,
    "passages" INTEGER NOT NULL,
    "stem_lengths" BYTEA NOT NULL,
    "trigram_lengths" BYTEA NOT NULL,
    "source_numbers" BYTEA NOT NULL,
    "common_stems" TEXT NOT NULL,
    "common_trigrams" TEXT NOT NULL,
    "stem_buckets" INTEGER NOT NULL,
    "trigram_buckets" INTEGER NOT NULL,
    "languages" TEXT[],

    CONSTRAINT "knowledge_segments_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "knowledge_segments_collection_id_fkey" FOREIGN KEY ("collection_id") REFERENCES "knowledge_collections"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "knowledge_segments_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "knowledge_sources"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "knowledge_segments_collection_id_idx" ON "knowledge_segments"("collection_id");
CREATE INDEX "knowledge_segments_source_id_idx" ON "knowledge_segments"("source_id");
CREATE INDEX "knowledge_segments_stale_idx" ON "knowledge_segments"("collection_id") WHERE stale AND live;

-- The postings of a segment, some terms in a row. `list` is 0 for stems and 1 for trigrams.
CREATE TABLE "knowledge_postings" (
    "segment_id" BIGINT NOT NULL,
    "list" SMALLINT NOT NULL,
    "bucket" INTEGER NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "knowledge_postings_pkey" PRIMARY KEY ("segment_id", "list", "bucket"),
    CONSTRAINT "knowledge_postings_segment_id_fkey" FOREIGN KEY ("segment_id") REFERENCES "knowledge_segments"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- They are as dense as they get: to compress them would only cost time.
ALTER TABLE "knowledge_postings" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
ALTER TABLE "knowledge_segments" ALTER COLUMN "stem_lengths" SET STORAGE EXTERNAL, ALTER COLUMN "trigram_lengths" SET STORAGE EXTERNAL;

-- A passage: characters `start_at` to `end_at` of its source's text. Its place in the index is segment and ordinal.
CREATE TABLE "knowledge_chunks" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "collection_id" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "start_at" INTEGER NOT NULL,
    "end_at" INTEGER NOT NULL,
    "heading_path" TEXT[],
    "kind" TEXT NOT NULL,
    "tokens" INTEGER NOT NULL,
    "language" TEXT,
    "text" TEXT NOT NULL,
    "segment_id" BIGINT NOT NULL,
    "ordinal" INTEGER NOT NULL,

    CONSTRAINT "knowledge_chunks_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "knowledge_chunks_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "knowledge_sources"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "knowledge_chunks_segment_id_ordinal_key" ON "knowledge_chunks"("segment_id", "ordinal");
CREATE INDEX "knowledge_chunks_source_id_start_at_idx" ON "knowledge_chunks"("source_id", "start_at");

-- The embedding of a passage by one model: `dimensions` floats of 4 bytes, little-endian, of unit length.
CREATE TABLE "knowledge_vectors" (
    "chunk_id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "collection_id" TEXT NOT NULL,
    "dimensions" INTEGER NOT NULL,
    "vector" BYTEA NOT NULL,

    CONSTRAINT "knowledge_vectors_pkey" PRIMARY KEY ("chunk_id", "model"),
    CONSTRAINT "knowledge_vectors_chunk_id_fkey" FOREIGN KEY ("chunk_id") REFERENCES "knowledge_chunks"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "knowledge_vectors_collection_id_model_idx" ON "knowledge_vectors"("collection_id", "model");
ALTER TABLE "knowledge_vectors" ALTER COLUMN "vector" SET STORAGE EXTERNAL;

-- Calls of an embedding model belong to a tenant, not to a run.
ALTER TABLE "model_calls" ALTER COLUMN "run_id" DROP NOT NULL;
ALTER TABLE "model_calls" ADD CONSTRAINT "model_calls_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

SELECT protect_tenant_table('knowledge_collections');
SELECT protect_tenant_table('knowledge_sources');
SELECT protect_tenant_table('knowledge_segments');
SELECT protect_tenant_table('knowledge_postings');
SELECT protect_tenant_table('knowledge_chunks');
SELECT protect_tenant_table('knowledge_vectors');

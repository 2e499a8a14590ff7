-- A book: what its author wants (user_concept, which no run changes) and what runs keep about it (llm_runtime).
CREATE TABLE "book_projects" (
  "id" TEXT PRIMARY KEY,
  "tenant_id" TEXT NOT NULL REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "session_id" TEXT NOT NULL REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "title" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "user_concept" JSONB NOT NULL,
  "llm_runtime" JSONB NOT NULL DEFAULT '{}',
  "revision" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "book_projects_session_id_key" ON "book_projects"("session_id");
CREATE INDEX "book_projects_tenant_id_created_at_idx" ON "book_projects"("tenant_id", "created_at" DESC);

-- A chapter keeps its id; its number is a position. What the outline says of it stands with it.
CREATE TABLE "book_chapters" (
  "id" TEXT PRIMARY KEY,
  "tenant_id" TEXT NOT NULL REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "project_id" TEXT NOT NULL REFERENCES "book_projects"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "number" INTEGER NOT NULL,
  "title" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "outline" JSONB NOT NULL,
  "summary" TEXT NOT NULL DEFAULT '',
  "version" INTEGER NOT NULL DEFAULT 0,
  "vector_indexed" BOOLEAN NOT NULL DEFAULT false,
  "revision" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "book_chapters_project_id_number_idx" ON "book_chapters"("project_id", "number");
CREATE INDEX "book_chapters_tenant_id_idx" ON "book_chapters"("tenant_id");

-- Versions of a chapter's text are only ever added. What is derived from the text (facts) stands with it.
CREATE TABLE "book_chapter_versions" (
  "id" TEXT PRIMARY KEY,
  "tenant_id" TEXT NOT NULL REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "chapter_id" TEXT NOT NULL REFERENCES "book_chapters"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "number" INTEGER NOT NULL,
  "origin" TEXT NOT NULL,
  "origin_run" TEXT,
  "effect_key" TEXT NOT NULL,
  "content" TEXT NOT NULL,
  "facts" JSONB NOT NULL,
  "citations" JSONB NOT NULL,
  "review" JSONB,
  "decisions" JSONB,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "book_chapter_versions_chapter_id_number_key" ON "book_chapter_versions"("chapter_id", "number");
CREATE UNIQUE INDEX "book_chapter_versions_tenant_id_effect_key_key" ON "book_chapter_versions"("tenant_id", "effect_key");

SELECT protect_tenant_table('book_projects');
SELECT protect_tenant_table('book_chapters');
SELECT protect_tenant_table('book_chapter_versions');

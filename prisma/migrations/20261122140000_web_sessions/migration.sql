-- Browsers that are signed in; of the cookie only the SHA-256 is kept. A session ends with its key.
CREATE TABLE "web_sessions" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "api_key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "web_sessions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "web_sessions_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "web_sessions_tenant_id_idx" ON "web_sessions"("tenant_id");
CREATE INDEX "web_sessions_expires_at_idx" ON "web_sessions"("expires_at");
SELECT protect_tenant_table('web_sessions');

-- Links that sign a browser in once; of the link only the SHA-256 is kept, and a used one is removed.
CREATE TABLE "sign_in_links" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "api_key_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_links_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "sign_in_links_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "sign_in_links_tenant_id_idx" ON "sign_in_links"("tenant_id");
CREATE INDEX "sign_in_links_expires_at_idx" ON "sign_in_links"("expires_at");
SELECT protect_tenant_table('sign_in_links');

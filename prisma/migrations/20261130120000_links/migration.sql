-- Links that open one result for reading, or one decision for an answer, without an account. Only the hash of a secret is stored.
CREATE TABLE links (
  id          text PRIMARY KEY,
  secret_hash text NOT NULL,
  tenant_id   text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  session_id  text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE ON UPDATE CASCADE,
  api_key_id  text NOT NULL,
  kind        text,
  name        text,
  export_id   text REFERENCES exports (id) ON DELETE CASCADE ON UPDATE CASCADE,
  decision_id text REFERENCES tasks (id) ON DELETE CASCADE ON UPDATE CASCADE,
  expires_at  timestamptz(3) NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX links_secret_hash_key ON links (secret_hash);
CREATE INDEX links_tenant_id_idx ON links (tenant_id);
CREATE INDEX links_session_id_idx ON links (session_id);
CREATE INDEX links_export_id_idx ON links (export_id);
CREATE INDEX links_decision_id_idx ON links (decision_id);
SELECT protect_tenant_table('links');

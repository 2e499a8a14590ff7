-- Codes and refresh tokens of clients that a person let in by OAuth; of a secret only the SHA-256 is kept. A used one
-- stays until it expires, so that its second use ends all secrets of the grant.
CREATE TABLE oauth_secrets (
  id           text PRIMARY KEY,
  tenant_id    text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  api_key_id   text NOT NULL,
  grant_id     text NOT NULL,
  kind         text NOT NULL,
  client_id    text NOT NULL,
  redirect_uri text,
  challenge    text,
  scopes       text[] NOT NULL,
  expires_at   timestamptz(3) NOT NULL,
  used_at      timestamptz(3)
);
CREATE INDEX oauth_secrets_tenant_id_grant_id_idx ON oauth_secrets (tenant_id, grant_id);
CREATE INDEX oauth_secrets_expires_at_idx ON oauth_secrets (expires_at);
SELECT protect_tenant_table('oauth_secrets');

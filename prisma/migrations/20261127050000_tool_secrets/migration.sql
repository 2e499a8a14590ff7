-- Secrets that HTTP requests of plans use by name; the value is sealed and is sent only to the hosts.
CREATE TABLE tool_secrets (
  id         text PRIMARY KEY,
  tenant_id  text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name       text NOT NULL,
  hosts      text[] NOT NULL,
  secret     text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX tool_secrets_tenant_id_name_key ON tool_secrets (tenant_id, name);
SELECT protect_tenant_table('tool_secrets');

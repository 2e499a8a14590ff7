-- Word files whose styles, headers, footers and page setup the documents of a tenant take. The bytes are in the object store.
CREATE TABLE word_templates (
  id         text PRIMARY KEY,
  tenant_id  text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name       text NOT NULL,
  object_key text NOT NULL,
  size       integer NOT NULL,
  sha256     text NOT NULL,
  report     jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX word_templates_tenant_id_name_key ON word_templates (tenant_id, name);
SELECT protect_tenant_table('word_templates');

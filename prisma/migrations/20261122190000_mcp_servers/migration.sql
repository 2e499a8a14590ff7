-- MCP servers that a tenant has registered. What is secret of them is sealed as one text; `due_at` is when a worker looks at its tools
-- the next time; after several failures in a row nothing is sent to it until `closed_until`.
CREATE TABLE mcp_servers (
  id            text PRIMARY KEY,
  tenant_id     text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name          text NOT NULL,
  url           text,
  command       text,
  header_names  text[] NOT NULL,
  oauth         jsonb,
  secrets       text NOT NULL,
  allowed_tools jsonb,
  side_effects  jsonb,
  status        text NOT NULL DEFAULT 'discovering',
  error         text,
  protocol      text,
  discovered_at timestamptz(3),
  due_at        timestamptz(3) NOT NULL DEFAULT now(),
  failures      integer NOT NULL DEFAULT 0,
  closed_until  timestamptz(3),
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (url IS NULL OR command IS NULL)
);
CREATE UNIQUE INDEX mcp_servers_tenant_id_name_key ON mcp_servers (tenant_id, name);
CREATE INDEX mcp_servers_due_at_idx ON mcp_servers (due_at);
SELECT protect_tenant_table('mcp_servers');

-- Tools of these servers: as the tenant approved them, and as the server describes them now. They are the same while the hashes are.
CREATE TABLE mcp_tools (
  server_id     text NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE ON UPDATE CASCADE,
  tenant_id     text NOT NULL,
  name          text NOT NULL,
  seen          jsonb NOT NULL,
  seen_hash     text NOT NULL,
  approved      jsonb,
  approved_hash text,
  is_offered    boolean NOT NULL DEFAULT true,
  PRIMARY KEY (server_id, name)
);
CREATE INDEX mcp_tools_tenant_id_idx ON mcp_tools (tenant_id);
SELECT protect_tenant_table('mcp_tools');

-- Hosts that plans made by a model may read without approval.
CREATE TABLE plan_hosts (
  tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  hosts     text[] NOT NULL
);
SELECT protect_tenant_table('plan_hosts');

-- openWorldHint of MCP; true if a server does not say otherwise, and until its tools are listed again.
ALTER TABLE mcp_tools ADD COLUMN is_open_world boolean NOT NULL DEFAULT true;

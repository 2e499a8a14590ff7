-- Names of tools of an MCP server that were left out when it was looked at last: their description is not valid.
ALTER TABLE mcp_servers ADD COLUMN skipped_tools text[] NOT NULL DEFAULT '{}';

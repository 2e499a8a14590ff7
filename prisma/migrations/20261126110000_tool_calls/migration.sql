-- When a call with outside effects was sent, so that no worker sends it a second time.
ALTER TABLE tasks ADD COLUMN called_at TIMESTAMPTZ(3);
-- Whether the server says that a repeated call changes nothing more.
ALTER TABLE mcp_tools ADD COLUMN is_idempotent BOOLEAN NOT NULL DEFAULT false;

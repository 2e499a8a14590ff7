import { mcpServerSchema, type mcpServerWithToolsSchema } from '../contract/mcp-schemas.js';
import type { McpServer, McpServerWithTools, McpTool } from '../store/mcp-servers.js';
import { view } from '#gateway/http/view.js';
import { hasSideEffects, isAllowed, serverToolSchema } from '../tools/mcp/server-tool.js';
import type { z } from 'zod';

type ServerView = z.infer<typeof mcpServerSchema>;
type ToolView = z.infer<typeof mcpServerWithToolsSchema>['tools'][number];

/** Returns the API view of an MCP server; it contains only the names of secrets. */
export const serverView = (row: McpServer): ServerView =>
  view(mcpServerSchema, row, {
    headers: row.headerNames,
    oauth: row.oauth as ServerView['oauth'],
    allowed_tools: row.allowedTools as string[] | null,
    side_effects: row.sideEffects as string[] | null,
    error: row.status === 'failed' ? (row.error as ServerView['error']) : null,
  });

export const serverWithToolsView = (row: McpServerWithTools) => ({
  ...serverView(row),
  tools: row.tools.map((tool) => toolView(row, tool)),
  skipped_tools: row.skippedTools,
});

function toolView(server: McpServer, row: McpTool): ToolView {
  const seen = serverToolSchema.parse(row.seen);
  const approved = row.approved === null ? null : serverToolSchema.parse(row.approved);
  return {
    name: row.name,
    description: seen.description,
    input: seen.input,
    status: statusOf(row),
    approved_description: approved?.description ?? null,
    is_allowed: isAllowed(server, row.name),
    side_effects: hasSideEffects(server, row.name),
  };
}

function statusOf({ isOffered, approvedHash, seenHash }: McpTool): ToolView['status'] {
  if (!isOffered) return 'gone';
  if (approvedHash === null) return 'new';
  return approvedHash === seenHash ? 'approved' : 'changed';
}

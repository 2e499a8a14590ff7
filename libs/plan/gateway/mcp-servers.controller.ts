import { Controller } from '@nestjs/common';
import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';
import { McpServersService } from './mcp-servers.service.js';
import { mcpServerSchema, type mcpServerWithToolsSchema } from '../contract/mcp-schemas.js';
import type { McpServer, McpServerWithTools, McpTool } from '../store/mcp-servers.js';
import { view } from '#gateway/http/view.js';
import { hasSideEffects, isAllowed, serverToolSchema } from '../tools/mcp/server-tool.js';
import type { z } from 'zod';

/** MCP servers of tenants (P12). */
@Controller()
export class McpServersController {
  constructor(private readonly servers: McpServersService) {}

  @Route('registerMcpServer')
  async register(
    { tenantId, body }: EndpointRequest<'registerMcpServer'>,
    @IdFromKey('mcp') id: string | undefined,
  ) {
    return serverView(await this.servers.register(tenantId, body, id));
  }

  @Route('listMcpServers')
  async list({ tenantId }: EndpointRequest<'listMcpServers'>) {
    return { items: (await this.servers.list(tenantId)).map(serverView) };
  }

  @Route('getMcpServer')
  async get({ tenantId, params: { server_id: id } }: EndpointRequest<'getMcpServer'>) {
    return serverWithToolsView(await this.servers.require(tenantId, id));
  }

  @Route('changeMcpServer')
  async change({ tenantId, params: { server_id: id }, body }: EndpointRequest<'changeMcpServer'>) {
    return serverWithToolsView(await this.servers.change(tenantId, id, body));
  }

  @Route('deleteMcpServer')
  async remove({ tenantId, params: { server_id: id } }: EndpointRequest<'deleteMcpServer'>) {
    await this.servers.remove(tenantId, id);
  }

  @Route('refreshMcpServer')
  async refresh({ tenantId, params: { server_id: id } }: EndpointRequest<'refreshMcpServer'>) {
    return serverView(await this.servers.refresh(tenantId, id));
  }

  @Route('approveMcpTools')
  async approve({
    tenantId,
    params: { server_id: id },
    body: { tools },
  }: EndpointRequest<'approveMcpTools'>) {
    return serverWithToolsView(await this.servers.approve(tenantId, id, tools));
  }
}

type ServerView = z.infer<typeof mcpServerSchema>;
type ToolView = z.infer<typeof mcpServerWithToolsSchema>['tools'][number];

/** Returns the API view of an MCP server; it contains only the names of secrets. */
const serverView = (row: McpServer): ServerView =>
  view(mcpServerSchema, row, {
    headers: row.headerNames,
    oauth: row.oauth as ServerView['oauth'],
    allowed_tools: row.allowedTools as string[] | null,
    side_effects: row.sideEffects as string[] | null,
    error: row.status === 'failed' ? (row.error as ServerView['error']) : null,
  });

const serverWithToolsView = (row: McpServerWithTools) => ({
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

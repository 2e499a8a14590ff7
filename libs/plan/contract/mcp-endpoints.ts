import * as mcp from './mcp-schemas.js';
import { listOf } from '#contracts/api/schemas.js';
import { defineEndpoints } from '#contracts/api/endpoints/endpoint.js';

/** Operations with the tag `mcp`. */
export const mcpEndpoints = defineEndpoints('mcp', {
  registerMcpServer: {
    method: 'POST',
    path: '/api/mcp/servers',
    summary: 'Register an MCP server; a worker then discovers its tools',
    scope: 'admin',
    body: mcp.newMcpServerSchema,
    status: 201,
    response: mcp.mcpServerSchema,
    errors: ['mcp_server_refused', 'mcp_server_exists', 'too_many_mcp_servers'],
  },
  listMcpServers: {
    method: 'GET',
    path: '/api/mcp/servers',
    summary: 'List the MCP servers, newest first (a tenant may have 20)',
    response: listOf(mcp.mcpServerSchema),
  },
  getMcpServer: {
    method: 'GET',
    path: '/api/mcp/servers/:server_id',
    summary: 'Read an MCP server with its tools',
    response: mcp.mcpServerWithToolsSchema,
  },
  changeMcpServer: {
    method: 'PATCH',
    path: '/api/mcp/servers/:server_id',
    summary:
      'Change the headers, credentials or allowed tools of an MCP server, or which tools have side effects',
    scope: 'admin',
    body: mcp.mcpServerChangeSchema,
    response: mcp.mcpServerWithToolsSchema,
  },
  deleteMcpServer: {
    method: 'DELETE',
    path: '/api/mcp/servers/:server_id',
    summary: 'Delete an MCP server; plans can no longer use its tools',
    scope: 'admin',
  },
  refreshMcpServer: {
    method: 'POST',
    path: '/api/mcp/servers/:server_id/refresh',
    summary: 'Rediscover the tools of an MCP server',
    scope: 'admin',
    status: 202,
    response: mcp.mcpServerSchema,
  },
  approveMcpTools: {
    method: 'POST',
    path: '/api/mcp/servers/:server_id/approvals',
    summary: 'Approve tools with their current descriptions',
    scope: 'admin',
    body: mcp.mcpApprovalSchema,
    response: mcp.mcpServerWithToolsSchema,
  },
});

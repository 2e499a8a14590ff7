import { listOf } from '#contracts/api/schemas.js';
import { defineEndpoints } from '#contracts/api/endpoints/endpoint.js';
import * as mcp from './mcp-schemas.js';
import * as secrets from './secret-schemas.js';

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

/** Operations with the tag `secrets`. */
export const secretsEndpoints = defineEndpoints('secrets', {
  addSecret: {
    method: 'POST',
    path: '/api/secrets',
    summary: 'Store a secret that HTTP requests of plans use by its name',
    scope: 'admin',
    body: secrets.newSecretSchema,
    status: 201,
    response: secrets.secretSchema,
    errors: ['secret_exists', 'too_many_secrets'],
  },
  listSecrets: {
    method: 'GET',
    path: '/api/secrets',
    summary: 'List the names and hosts of the secrets, newest first (a tenant may have 50)',
    response: listOf(secrets.secretSchema),
  },
  changeSecret: {
    method: 'PATCH',
    path: '/api/secrets/:credential_id',
    summary: 'Replace the value or the hosts of a secret; new hosts require the value again',
    scope: 'admin',
    body: secrets.secretChangeSchema,
    response: secrets.secretSchema,
  },
  getPlanHosts: {
    method: 'GET',
    path: '/api/plan-hosts',
    summary: 'Get the hosts that plans made by a model may read without approval',
    response: secrets.planHostsSchema,
  },
  changePlanHosts: {
    method: 'PATCH',
    path: '/api/plan-hosts',
    summary: 'Replace the hosts that plans made by a model may read without approval',
    scope: 'admin',
    body: secrets.planHostsSchema,
    response: secrets.planHostsSchema,
  },
  deleteSecret: {
    method: 'DELETE',
    path: '/api/secrets/:credential_id',
    summary: 'Delete a secret; requests that use it fail',
    scope: 'admin',
  },
});

import { apiChange, apiQuery } from './api-query';
import { api, type Schemas } from './client';

export type McpServer = Schemas['McpServer'];
export type McpTool = Schemas['McpServerTool'];

const at = (id: string) => ({ path: { server_id: id } });

/** Queries that list servers or their tools. */
const SHOWN = [['mcp-servers'], ['tools']];

/** Query for the tenant's MCP servers; refetched while a worker discovers their tools. */
export const mcpServersQuery = apiQuery(
  ['mcp-servers'],
  '/api/mcp/servers',
  {},
  {
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ status }) => status === 'discovering') ? 1_000 : false,
  },
);

/** @param state of the server: its tools are fetched again when it changes */
export const mcpToolsOf = (id: string, state: string) =>
  apiQuery(['mcp-servers', id, state], '/api/mcp/servers/{server_id}', at(id));

/** Registers a server; a worker then discovers its tools. @throws ApiProblem */
export const addServer = (name: string, url: string) =>
  apiChange(
    api.POST('/api/mcp/servers', {
      body: { name, url, headers: {}, allowed_tools: null, side_effects: null },
    }),
    ...SHOWN,
  );

/** @throws ApiProblem */
export const removeServer = (id: string) =>
  apiChange(api.DELETE('/api/mcp/servers/{server_id}', { params: at(id) }), ...SHOWN);

/** Discovers the server's tools now. @throws ApiProblem */
export const refreshServer = (id: string) =>
  apiChange(api.POST('/api/mcp/servers/{server_id}/refresh', { params: at(id) }), ...SHOWN);

/** Allows plans to use tools with their current descriptions. @throws ApiProblem */
export const approveTools = (id: string, tools: string[]) =>
  apiChange(
    api.POST('/api/mcp/servers/{server_id}/approvals', { params: at(id), body: { tools } }),
    ...SHOWN,
  );

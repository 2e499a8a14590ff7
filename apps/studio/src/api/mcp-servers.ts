import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from './client';
import { queryClient } from './query-client';

export type McpServer = Schemas['McpServer'];
export type McpTool = Schemas['McpServerTool'];

const at = (id: string) => ({ params: { path: { server_id: id } } });

/** Query for the tenant's MCP servers; refetched while a worker discovers their tools. */
export const mcpServersQuery = queryOptions({
  queryKey: ['mcp-servers'],
  queryFn: () => unwrap(api.GET('/api/mcp/servers')),
  refetchInterval: ({ state: { data } }) =>
    data?.items.some(({ status }) => status === 'discovering') ? 1_000 : false,
});

/** @param state of the server: its tools are fetched again when it changes */
export const mcpToolsOf = (id: string, state: string) =>
  queryOptions({
    queryKey: ['mcp-servers', id, state],
    queryFn: () => unwrap(api.GET('/api/mcp/servers/{server_id}', at(id))),
  });

/** Registers a server; a worker then discovers its tools. @throws ApiProblem */
export const addServer = (name: string, url: string) =>
  changed(
    api.POST('/api/mcp/servers', {
      body: { name, url, headers: {}, allowed_tools: null, side_effects: null },
    }),
  );

/** @throws ApiProblem */
export const removeServer = (id: string) => changed(api.DELETE('/api/mcp/servers/{server_id}', at(id)));

/** Discovers the server's tools now. @throws ApiProblem */
export const refreshServer = (id: string) =>
  changed(api.POST('/api/mcp/servers/{server_id}/refresh', at(id)));

/** Allows plans to use tools with their current descriptions. @throws ApiProblem */
export const approveTools = (id: string, tools: string[]) =>
  changed(api.POST('/api/mcp/servers/{server_id}/approvals', { ...at(id), body: { tools } }));

async function changed<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const data = await unwrap(call);
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['mcp-servers'] }),
    queryClient.invalidateQueries({ queryKey: ['tools'] }),
  ]);
  return data;
}

import type { CallToolResult, Client, RequestOptions, Tool } from '@modelcontextprotocol/client';
import { z } from 'zod';

const annotations = { readOnlyHint: true, openWorldHint: true };

/**
 * Tools through which plans read the resources of a server, in addition to its own tools. Their descriptions do not
 * depend on the resources, so that a new resource needs no approval.
 */
export const RESOURCE_TOOLS: Tool[] = [
  {
    name: 'resources.list',
    description: 'List the resources of the server, such as files and pages, with their addresses.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    outputSchema: {
      type: 'object',
      properties: {
        resources: { type: 'array', items: { type: 'object' }, description: 'uri, name, mimeType' },
      },
    },
    annotations,
  },
  {
    name: 'resources.read',
    description: 'Read a resource of the server: its text, and its bytes as a file of the plan.',
    inputSchema: {
      type: 'object',
      properties: { uri: { type: 'string', description: 'address from resources.list' } },
      required: ['uri'],
      additionalProperties: false,
    },
    annotations,
  },
];

/** Returns whether a name is one of these tools; a server's own tool of that name is left out. */
export const isResourceTool = (name: string) => RESOURCE_TOOLS.some((tool) => tool.name === name);

/** Calls one of these tools; null for another name. */
export async function callResource(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  options: RequestOptions,
): Promise<CallToolResult | null> {
  if (name === 'resources.list') {
    const { resources } = await client.listResources({}, options);
    const listed = resources.map(({ uri, name, mimeType, description }) => ({
      uri,
      name,
      mimeType,
      description,
    }));
    return { content: [], structuredContent: { resources: listed } };
  }
  if (name !== 'resources.read') return null;
  const { contents } = await client.readResource({ uri: z.string().parse(args['uri']) }, options);
  return { content: contents.map((resource) => ({ type: 'resource', resource })) };
}

import type { SeenTool, ServerOffer } from '../store/mcp-servers.js';
import { MAX_MCP_TOOLS } from '../contract/mcp-schemas.js';
import { hashOf, serverToolSchema, type ServerTool } from '../tools/mcp/server-tool.js';
import { isNestedDeeper } from '../tools/tool.js';
import {
  isSpecType,
  type Client,
  type RequestOptions,
  type Tool,
  type CallToolResult,
} from '@modelcontextprotocol/client';
import { sanitizeServerText } from './sanitize-server-text.js';
import { z } from 'zod';

const annotations = { readOnlyHint: true, openWorldHint: true };

/**
 * Tools through which plans read the resources of a server, in addition to its own tools. Their descriptions do not
 * depend on the resources, so that a new resource needs no approval.
 */
const RESOURCE_TOOLS: Tool[] = [
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
const isResourceTool = (name: string) => RESOURCE_TOOLS.some((tool) => tool.name === name);

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

const MAX_NAME_CHARACTERS = 128;

/** Lists the tools of a server up to the limit; `skipped` names the tools with an invalid description. */
export async function toolsOf(
  client: Client,
  options: RequestOptions,
): Promise<Pick<ServerOffer, 'tools' | 'skipped'>> {
  const skipped: string[] = [];
  leaveOutInvalid(client, skipped);
  const { tools } = await client.listTools({}, options);
  const offered = [...(client.getServerCapabilities()?.resources ? RESOURCE_TOOLS : []), ...tools];
  return {
    tools: offered.slice(0, MAX_MCP_TOOLS).map(seen),
    skipped: skipped.slice(0, MAX_MCP_TOOLS),
  };
}

function seen(tool: Tool): SeenTool {
  const description = describe(tool)!;
  const { annotations } = tool;
  const isIdempotent = annotations?.idempotentHint === true || annotations?.readOnlyHint === true;
  const isOpenWorld = annotations?.openWorldHint !== false;
  return { name: tool.name, description, hash: hashOf(description), isIdempotent, isOpenWorld };
}

/**
 * Removes unusable tools from a server's responses: because of one, the client would reject the whole list.
 */
function leaveOutInvalid({ transport }: Client, skipped: string[]): void {
  const take = transport?.onmessage;
  if (!transport || !take) return;
  transport.onmessage = (message, extra) => {
    if (!('result' in message) || !Array.isArray(message.result['tools'])) return take(message, extra);
    const tools: Tool[] = [];
    for (const [index, tool] of message.result['tools'].entries()) {
      if (
        !isNestedDeeper(tool, MAX_DEPTH) &&
        isSpecType.Tool(tool) &&
        describe(tool) &&
        !isResourceTool(tool.name)
      )
        tools.push(tool);
      else if (skipped.length < MAX_MCP_TOOLS) skipped.push(nameOf(tool) || `#${index + 1}`);
    }
    take({ ...message, result: { ...message.result, tools } }, extra);
  };
}

/** Maximum nesting of a description: code that reads it recurses. */
const MAX_DEPTH = 64;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns whether planning can read a schema and its nested schemas. */
function isSchema(schema: unknown): boolean {
  if (!isObject(schema)) return typeof schema === 'boolean';
  const { properties = {}, items = true } = schema as { properties?: unknown; items?: unknown };
  return isObject(properties) && Object.values(properties).every(isSchema) && [items].flat().every(isSchema);
}

/** Returns the stored form of a tool; undefined if plans cannot use it. */
function describe({
  name,
  description,
  inputSchema: input,
  outputSchema: output,
}: Tool): ServerTool | undefined {
  if (!isSchema(input) || (output !== undefined && !isSchema(output))) return undefined;
  return serverToolSchema.safeParse({ name, description, input, output: output ?? null }).data;
}

/** Returns the name of a skipped tool for people; empty for a tool without a name. */
function nameOf(tool: unknown): string {
  const name = typeof tool === 'object' && tool !== null && 'name' in tool ? tool.name : undefined;
  return typeof name === 'string' ? sanitizeServerText(name, MAX_NAME_CHARACTERS) : '';
}

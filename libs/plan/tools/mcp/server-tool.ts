import { isObject } from '#contracts/lenient.js';
import { sha256 } from '#contracts/sha256.js';
import { z } from 'zod';
import type { ToolDescription } from '../tool.js';

const MAX_DESCRIPTION = 4_000;
const MAX_SCHEMA_BYTES = 64 * 1024;
const SERVER_TIMEOUT_MS = 60_000;
/** Higher than the cost of common platform tools, so that rules prefer those if both would work. */
const SERVER_COST = 10;

const schemaOf = z
  .record(z.string(), z.unknown())
  .refine((schema) => JSON.stringify(schema).length <= MAX_SCHEMA_BYTES, 'is too large');

/** The stored parts of a server's description of a tool. */
export const serverToolSchema = z.object({
  name: z.string().regex(/^[A-Za-z0-9_.-]{1,128}$/),
  description: z
    .string()
    .default('')
    .transform((text) => text.slice(0, MAX_DESCRIPTION)),
  input: schemaOf,
  output: schemaOf.nullable(),
});
export type ServerTool = z.output<typeof serverToolSchema>;

/**
 * Returns a hash of everything that a model or a person bases decisions on; the order of keys does not
 * matter.
 */
export function hashOf(tool: ServerTool): string {
  return sha256(JSON.stringify(sorted(tool)), 'base64url');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}

/** Result schema of tools for which the server declares none. */
const TEXT_RESULT = {
  type: 'object',
  properties: {
    text: { type: 'string', description: 'response of the tool' },
    files: {
      type: 'array',
      items: { type: 'object' },
      description: 'pictures, sounds and resources: name, export_id',
    },
  },
};

/** Returns a schema that does not require parameters with a default, which some generators of schemas list, too. */
function withOptionalDefaults(schema: ServerTool['input']): ServerTool['input'] {
  const { properties, required } = schema;
  if (!Array.isArray(required) || !isObject(properties)) return schema;
  const isOpen = (name: string) => !(isObject(properties[name]) && 'default' in properties[name]);
  return { ...schema, required: (required as string[]).filter(isOpen) };
}

/** Describes a server's tool for plans, under the name `server/tool`. */
function describeServerTool(
  server: string,
  tool: ServerTool,
  facts: Pick<ToolDescription, 'sideEffects' | 'isRepeatable' | 'openWorld'>,
): ToolDescription {
  return {
    name: `${server}/${tool.name}`,
    description: tool.description || tool.name,
    input: withOptionalDefaults(tool.input),
    output: tool.output ?? TEXT_RESULT,
    ...facts,
    timeoutMs: SERVER_TIMEOUT_MS,
    attempts: 1,
    cost: SERVER_COST,
  };
}

/** Columns of a stored server that concern its tools. */
interface ServerRow {
  name: string;
  url: string | null;
  allowedTools: unknown;
  sideEffects: unknown;
  tools: {
    name: string;
    approved: unknown;
    approvedHash: string | null;
    seenHash: string;
    isOffered: boolean;
    isIdempotent: boolean;
    isOpenWorld: boolean;
  }[];
}

const namesSchema = z.array(z.string()).nullable();

/** Returns whether the tenant allows plans to use the tool. */
export const isAllowed = ({ allowedTools }: Pick<ServerRow, 'allowedTools'>, tool: string): boolean =>
  namesSchema.parse(allowedTools ?? null)?.includes(tool) ?? true;

/** Returns whether people are asked about calls of the tool. The server's own claims are ignored. */
export const hasSideEffects = ({ sideEffects }: Pick<ServerRow, 'sideEffects'>, tool: string): boolean =>
  namesSchema.parse(sideEffects ?? null)?.includes(tool) ?? true;

/**
 * Returns the tools of servers that plans may use: allowed, currently offered, and unchanged since they were
 * approved.
 */
export function serverTools(servers: readonly ServerRow[]): ToolDescription[] {
  return servers.flatMap((server) =>
    server.tools
      .filter(
        ({ name, isOffered, approvedHash, seenHash }) =>
          isOffered && approvedHash === seenHash && isAllowed(server, name),
      )
      .map(({ name, approved, isIdempotent, isOpenWorld }) => {
        const sideEffects = hasSideEffects(server, name);
        // Trust the server's own hint here: if it is wrong, only calls of that server are repeated.
        const isRepeatable = !sideEffects || isIdempotent;
        return describeServerTool(server.name, serverToolSchema.parse(approved), {
          sideEffects,
          isRepeatable,
          ...(isOpenWorld && { openWorld: { host: server.url && new URL(server.url).host } }),
        });
      }),
  );
}

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ToolDescription } from '../tool.js';

const MAX_DESCRIPTION = 4_000;
const MAX_SCHEMA_BYTES = 64 * 1024;
const SERVER_TIMEOUT_MS = 60_000;
/** Calls of servers cost more than any tool of the platform, so that rules take these where both will do. */
const SERVER_COST = 10;

const schemaOf = z
  .record(z.string(), z.unknown())
  .refine((schema) => JSON.stringify(schema).length <= MAX_SCHEMA_BYTES, 'is too large');

/** What is kept of a server's description of a tool. */
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

/** A hash of all that a model or a person decides by; the order of keys does not count. */
export function hashOf(tool: ServerTool): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(tool)))
    .digest('base64url');
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

/** What a call gives of a tool that says nothing of its results. */
const TEXT_RESULT = {
  type: 'object',
  properties: { text: { type: 'string', description: 'what the tool says' } },
};

/** A tool of a server as plans see it: `server/tool`. */
export function describeServerTool(
  server: string,
  tool: ServerTool,
  { sideEffects, isRepeatable }: Pick<ToolDescription, 'sideEffects' | 'isRepeatable'>,
): ToolDescription {
  return {
    name: `${server}/${tool.name}`,
    description: tool.description || tool.name,
    input: tool.input,
    output: tool.output ?? TEXT_RESULT,
    sideEffects,
    isRepeatable,
    timeoutMs: SERVER_TIMEOUT_MS,
    attempts: 1,
    cost: SERVER_COST,
  };
}

/** A server as it is stored, as far as its tools go. */
export interface ServerRow {
  name: string;
  allowedTools: unknown;
  sideEffects: unknown;
  tools: {
    name: string;
    approved: unknown;
    approvedHash: string | null;
    seenHash: string;
    isOffered: boolean;
    isIdempotent: boolean;
  }[];
}

const namesSchema = z.array(z.string()).nullable();

/** Whether the tenant lets plans use the tool. */
export const isAllowed = ({ allowedTools }: Pick<ServerRow, 'allowedTools'>, tool: string): boolean =>
  namesSchema.parse(allowedTools ?? null)?.includes(tool) ?? true;

/** Whether people are asked about calls of the tool; what a server itself says of that is not believed. */
export const hasSideEffects = ({ sideEffects }: Pick<ServerRow, 'sideEffects'>, tool: string): boolean =>
  namesSchema.parse(sideEffects ?? null)?.includes(tool) ?? true;

/** The tools of servers that plans may use: allowed, offered now, and described as they were when somebody approved them. */
export function serverTools(servers: readonly ServerRow[]): ToolDescription[] {
  return servers.flatMap((server) =>
    server.tools
      .filter(
        ({ name, isOffered, approvedHash, seenHash }) =>
          isOffered && approvedHash === seenHash && isAllowed(server, name),
      )
      .map(({ name, approved, isIdempotent }) => {
        const sideEffects = hasSideEffects(server, name);
        // A wrong hint repeats nothing but calls of the server that gave it.
        const isRepeatable = !sideEffects || isIdempotent;
        return describeServerTool(server.name, serverToolSchema.parse(approved), {
          sideEffects,
          isRepeatable,
        });
      }),
  );
}

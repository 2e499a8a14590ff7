import { secretName } from './secret-schemas.js';
import { WEB_PROTOCOL } from '#contracts/text.js';
import { z } from 'zod';

/** Maximum number of MCP servers per tenant. */
export const MAX_MCP_SERVERS = 20;
/** Maximum number of tools used from one server. */
export const MAX_MCP_TOOLS = 200;

const timestamp = z.iso.datetime();
const toolName = z.string().min(1).max(128);
export const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/);
/** Characters that HTTP permits in the value of a header. */
export const headerValue = z.string().regex(/^[\x20-\x7e]{1,4000}$/);

const headers = z
  .record(headerName, headerValue)
  .refine((given) => Object.keys(given).length <= 20, { message: 'at most 20' })
  .meta({
    description: 'sent with each request to the URL and nowhere else; stored encrypted and never returned',
  });
const oauth = z
  .object({
    issuer: z.url({ protocol: WEB_PROTOCOL }).max(2_048).meta({
      description: 'authorization server that issued the credentials; they are sent only to it',
    }),
    client_id: z.string().min(1).max(500),
    scope: z.string().min(1).max(500).optional(),
  })
  .strict();
const newOauth = oauth
  .extend({ client_secret: z.string().min(1).max(2_000) })
  .meta({ description: 'client credentials, for a server that requires OAuth' });
const allowedTools = z
  .array(toolName)
  .max(MAX_MCP_TOOLS)
  .nullable()
  .meta({ description: 'tools that plans may use; null: every approved tool' });
const sideEffects = z.array(toolName).max(MAX_MCP_TOOLS).nullable().meta({
  description:
    'tools with side effects: they must be approved before plans use them, and people approve their calls; null: every tool',
});

export const newMcpServerSchema = z
  .object({
    name: secretName.meta({ description: 'prefix of the names of its tools: `name/tool`' }),
    url: z
      .string()
      .min(1)
      .max(2_048)
      .optional()
      .meta({ description: 'URL of its streamable HTTP endpoint: https, on a host with public addresses' }),
    command: secretName
      .optional()
      .meta({ description: 'name of a command that the operator has set up, instead of a URL' }),
    headers: headers.default({}),
    oauth: newOauth.optional(),
    allowed_tools: allowedTools.default(null),
    side_effects: sideEffects.default(null),
  })
  .strict()
  .refine(({ url, command }) => (url === undefined) !== (command === undefined), {
    path: ['url'],
    message: 'pass either this or "command"',
  })
  .meta({ id: 'NewMcpServer' });
export type NewMcpServer = z.infer<typeof newMcpServerSchema>;

export const mcpServerChangeSchema = z
  .object({
    headers: headers.optional(),
    oauth: newOauth.nullable().optional(),
    allowed_tools: allowedTools.optional(),
    side_effects: sideEffects.optional(),
  })
  .strict()
  .meta({ id: 'McpServerChange' });
export type McpServerChange = z.infer<typeof mcpServerChangeSchema>;

/** Reasons why the last discovery of a server's tools failed. */
export const mcpServerErrors = [
  'unreachable',
  'refused_address',
  'unauthorized',
  'timeout',
  'too_large',
  'invalid_answer',
  'unknown_command',
  'unreadable_secrets',
] as const;
export type McpServerError = (typeof mcpServerErrors)[number];

export const mcpServerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string().nullable(),
    command: z.string().nullable(),
    headers: z.array(z.string()).meta({ description: 'names of the configured headers' }),
    oauth: oauth.nullable(),
    allowed_tools: allowedTools,
    side_effects: sideEffects,
    status: z.enum(['discovering', 'ready', 'failed']),
    error: z.enum(mcpServerErrors).nullable(),
    protocol: z.string().nullable().meta({ description: 'negotiated version of MCP' }),
    discovered_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'McpServer' });

export const mcpToolSchema = z
  .object({
    name: z.string(),
    description: z.string().meta({ description: 'current description of the server' }),
    input: z.record(z.string(), z.unknown()),
    status: z.enum(['approved', 'changed', 'new', 'gone']).meta({
      description:
        'only approved tools are used; a tool that may have side effects, or that the server changed or added later, requires approval',
    }),
    approved_description: z.string().nullable(),
    is_allowed: z.boolean(),
    side_effects: z.boolean(),
  })
  .meta({ id: 'McpServerTool' });

export const mcpServerWithToolsSchema = mcpServerSchema
  .extend({
    tools: z.array(mcpToolSchema),
    skipped_tools: z.array(z.string()).meta({
      description: 'names of skipped tools: their name or schema is invalid or too large',
    }),
  })
  .meta({ id: 'McpServerWithTools' });

export const mcpApprovalSchema = z
  .object({ tools: z.array(toolName).min(1).max(MAX_MCP_TOOLS) })
  .strict()
  .meta({ id: 'McpToolApproval' });

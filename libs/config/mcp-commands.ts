import { jsonOf } from '#contracts/lenient.js';
import { z } from 'zod';

const mcpCommandsSchema = z.record(
  z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/),
  z
    .object({
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      env: z.record(z.string(), z.string()).default({}),
    })
    .strict(),
);
/** Commands that tenants may start as MCP servers, by the name that a tenant gives. */
export type McpCommands = z.output<typeof mcpCommandsSchema>;

/** Schema of the setting, which is JSON; undefined if unset. */
export const mcpCommands = z
  .string()
  .optional()
  .transform((value, context): McpCommands | undefined => {
    if (value === undefined) return undefined;
    const commands = mcpCommandsSchema.safeParse(jsonOf(value));
    if (commands.success) return commands.data;
    const message = 'must be JSON like {"NAME": {"command": "node", "args": ["server.js"]}}';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

import type { LazyCommand } from '#cli/command.js';

/** Commands for plans. */
export const planCommands: LazyCommand[] = [
  {
    name: 'plan',
    operands: null,
    description: 'Run and control plans: graphs of tool calls',
    load: async () => (await import('./commands/plan.js')).registerPlan,
  },
  {
    name: 'secret',
    operands: null,
    description: 'Manage the secrets of HTTP requests in plans: list, set, remove',
    load: async () => (await import('./commands/secret.js')).registerSecret,
  },
];

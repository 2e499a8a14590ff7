import type { LazyCommand } from '#cli/command.js';

/** Commands for plans. */
export const planCommands: LazyCommand[] = [
  {
    name: 'plan',
    operands: null,
    description: 'Plans: graphs of tools that ask, plan anew and learn',
    load: async () => (await import('./commands/plan.js')).registerPlan,
  },
];

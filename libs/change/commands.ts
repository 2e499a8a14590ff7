import type { LazyCommand } from '#cli/command.js';

/** Command for changing a selected part of a text. */
export const changeCommands: LazyCommand[] = [
  {
    name: 'change',
    operands: '<target>',
    description: 'Have a selected part of a text rewritten, and accept or reject the new words',
    load: async () => (await import('./commands/change.js')).registerChange,
  },
];

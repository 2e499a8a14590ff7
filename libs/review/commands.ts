import type { LazyCommand } from '#cli/command.js';

/** Command for Word files that came back. */
export const reviewCommands: LazyCommand[] = [
  {
    name: 'review',
    operands: '<file>',
    description: 'Read what people changed in a Word file that came back, and decide about it',
    load: async () => (await import('./commands/review.js')).registerReview,
  },
];

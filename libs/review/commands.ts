import type { LazyCommand } from '#cli/command.js';

/** Commands for Word files that came back, and for comments. */
export const reviewCommands: LazyCommand[] = [
  {
    name: 'review',
    operands: '<file>',
    description: 'Read what people changed in a Word file that came back, and decide about it',
    load: async () => (await import('./commands/review.js')).registerReview,
  },
  {
    name: 'comment',
    operands: null,
    description: 'Comments about the texts of a session, in threads: list, add, resolve, reopen, remove',
    load: async () => (await import('./commands/comment.js')).registerComment,
  },
];

import type { LazyCommand } from '#cli/command.js';

/** Commands for books. */
export const bookCommands: LazyCommand[] = [
  {
    name: 'book',
    operands: null,
    description: 'Write a book from sources: outline, chapters, export',
    load: async () => (await import('./commands/book.js')).registerBook,
  },
  {
    name: 'maintain',
    operands: null,
    description:
      'Repair rows in DATABASE_URL (or DATABASE_URL_FILE) that older releases or other programs wrote',
    load: async () => (await import('./commands/maintain.js')).registerMaintain,
  },
];

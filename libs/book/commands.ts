import type { LazyCommand } from '#cli/command.js';

/** Commands for books. */
export const bookCommands: LazyCommand[] = [
  {
    name: 'book',
    operands: null,
    description: 'Books: from sources to an outline, chapters and a file',
    load: async () => (await import('./commands/book.js')).registerBook,
  },
  {
    name: 'maintain',
    operands: null,
    description: 'Mend what older or foreign writers left in DATABASE_URL (or DATABASE_URL_FILE)',
    load: async () => (await import('./commands/maintain.js')).registerMaintain,
  },
];

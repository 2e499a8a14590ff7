import type { LazyCommand } from '#cli/command.js';

/** Commands for articles. */
export const articleCommands: LazyCommand[] = [
  {
    name: 'article',
    operands: null,
    description: 'Write, review and repurpose articles in the style of a corpus',
    load: async () => (await import('./commands/article.js')).registerArticle,
  },
];

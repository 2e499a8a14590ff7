import type { LazyCommand } from '#cli/command.js';

/** Commands for collections of sources. */
export const knowledgeCommands: LazyCommand[] = [
  {
    name: 'knowledge',
    operands: null,
    description: 'Manage and search collections of sources: add, list, search, cite, remove',
    load: async () => (await import('./commands/knowledge.js')).registerKnowledge,
  },
  {
    name: 'reindex',
    operands: '',
    description:
      'Reindex sources, for example after a change of the embedding model; the old index stays in use until the new one is ready',
    load: async () => (await import('./commands/reindex.js')).registerReindex,
  },
];

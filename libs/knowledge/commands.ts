import type { LazyCommand } from '#cli/command.js';

/** Commands for collections of sources. */
export const knowledgeCommands: LazyCommand[] = [
  {
    name: 'knowledge',
    operands: null,
    description: 'What there is to know: add, list, search, remove',
    load: async () => (await import('./commands/knowledge.js')).registerKnowledge,
  },
  {
    name: 'reindex',
    operands: '',
    description:
      'Index sources anew, as after a change of the embedding model; the old index serves until then',
    load: async () => (await import('./commands/knowledge.js')).registerReindex,
  },
];

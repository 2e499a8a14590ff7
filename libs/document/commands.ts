import type { LazyCommand } from '#cli/command.js';

/** Commands that write documents. */
export const documentCommands: LazyCommand[] = [
  {
    name: 'write',
    operands: '<paths...>',
    description: 'Write a document from raw files: upload, follow, answer, download',
    load: async () => (await import('./commands/write.js')).registerWrite,
  },
  {
    name: 'convert',
    operands: '<input>',
    description: 'Turn markdown into a Word document, a PDF or structure.json (no stack needed)',
    load: async () => (await import('./commands/convert.js')).registerConvert,
  },
];

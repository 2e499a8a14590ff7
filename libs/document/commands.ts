import type { LazyCommand } from '#cli/command.js';

/** Commands that write documents. */
export const documentCommands: LazyCommand[] = [
  {
    name: 'write',
    operands: '<paths...>',
    description:
      'Write a document from raw files: upload them, follow the run, answer its questions, download the result',
    load: async () => (await import('./commands/write.js')).registerWrite,
  },
  {
    name: 'export',
    operands: '<session>',
    description: 'Make a new Word file of a document that was changed after it was written',
    load: async () => (await import('./commands/export.js')).registerExport,
  },
  {
    name: 'convert',
    operands: '<input>',
    description:
      'Convert Markdown to Word, PDF or structure.json (no stack needed); with --ledger, files of any kind to Word',
    load: async () => (await import('./commands/convert.js')).registerConvert,
  },
];

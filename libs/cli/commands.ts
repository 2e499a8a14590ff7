import type { LazyCommand } from '#cli/command.js';

/** Commands for the service, and for runs of every kind. */
export const cliCommands: LazyCommand[] = [
  {
    name: 'follow',
    operands: '<run>',
    description: 'Follow a run to its end: answer its questions, download its results',
    load: async () => (await import('./commands/follow.js')).registerFollow,
  },
  {
    name: 'start',
    operands: '',
    description: 'Run the whole stack on this machine in the foreground, until Ctrl-C',
    load: async () => (await import('./commands/start.js')).registerStart,
  },
  {
    name: 'migrate',
    operands: '',
    description: 'Apply pending migrations to DATABASE_URL (or DATABASE_URL_FILE)',
    load: async () => (await import('./commands/migrate.js')).registerMigrate,
  },
  {
    name: 'status',
    operands: '[run]',
    description: 'Show the health of the service, or the state of a run as JSON',
    load: async () => (await import('./commands/status.js')).registerStatus,
  },
  {
    name: 'schedule',
    operands: null,
    description: 'Start runs at planned times: list, show, add, pause, resume, fire, remove',
    load: async () => (await import('./commands/schedule.js')).registerSchedule,
  },
  {
    name: 'trigger',
    operands: null,
    description:
      'Start runs by events, such as webhooks and new files: list, show, add, pause, resume, fire, remove',
    load: async () => (await import('./commands/schedule.js')).registerTrigger,
  },
  {
    name: 'word-template',
    operands: null,
    description: 'Word files whose styles, headers, footers and page setup documents take: list, add, remove',
    load: async () => (await import('./commands/word-template.js')).registerWordTemplate,
  },
  {
    name: 'share',
    operands: null,
    description: 'Links by which anyone can read a result or answer a decision: add, decision, list, remove',
    load: async () => (await import('./commands/share.js')).registerShare,
  },
  {
    name: 'model',
    operands: null,
    description: 'Show, check and set the model endpoint: show, check, set, reset',
    load: async () => (await import('./commands/model.js')).registerModel,
  },
  {
    name: 'usage',
    operands: '',
    description: 'Show what model calls have cost, by key, project and kind of run; --csv for a spreadsheet',
    load: async () => (await import('./commands/usage.js')).registerUsage,
  },
  {
    name: 'history',
    operands: '<run>',
    description:
      'List the graph checkpoints of a run, newest first, with the IDs that restore and fork accept',
    load: async () => (await import('./commands/history.js')).registerHistory,
  },
  {
    name: 'decisions',
    operands: '',
    description: 'List the open decisions',
    load: async () => (await import('./commands/answer.js')).registerDecisions,
  },
  {
    name: 'answer',
    operands: '<decision> <answers...>',
    description: 'Answer an open decision of a run',
    load: async () => (await import('./commands/answer.js')).registerAnswer,
  },
];

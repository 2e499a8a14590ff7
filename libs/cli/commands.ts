import type { LazyCommand } from '#cli/command.js';

/** Commands for the service, and for runs of every kind. */
export const cliCommands: LazyCommand[] = [
  {
    name: 'follow',
    operands: '<run>',
    description: 'Go on with a run: follow it to its end, answer, download',
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
    description:
      'Apply the migrations to DATABASE_URL (or DATABASE_URL_FILE); done already, it changes nothing',
    load: async () => (await import('./commands/migrate.js')).registerMigrate,
  },
  {
    name: 'status',
    operands: '[run]',
    description: 'Tell whether the service is well, or where a run stands',
    load: async () => (await import('./commands/status.js')).registerStatus,
  },
  {
    name: 'history',
    operands: '<run>',
    description: 'List the checkpoints of a run, newest first, with the ids that restore and fork take',
    load: async () => (await import('./commands/history.js')).registerHistory,
  },
  {
    name: 'decisions',
    operands: '',
    description: 'List the questions that wait for an answer',
    load: async () => (await import('./commands/decisions.js')).registerDecisions,
  },
  {
    name: 'answer',
    operands: '<decision> <answers...>',
    description: 'Answer a question of a run',
    load: async () => (await import('./commands/answer.js')).registerAnswer,
  },
];

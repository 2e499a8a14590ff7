import { Command, Option } from 'commander';

interface LazyCommand {
  name: string;
  /** Arguments for the list of commands; null for a command with sub-commands only and no options. */
  operands: string | null;
  description: string;
  /** Loads the function that adds arguments, options, commands and an action to the command. */
  load: () => Promise<(command: Command) => void>;
}

/** Loading all commands would cost a second, so a command is loaded when it is called. */
const COMMANDS: readonly LazyCommand[] = [
  {
    name: 'write',
    operands: '<paths...>',
    description: 'Write a document from raw files: upload, follow, answer, download',
    load: async () => (await import('#document/commands.js')).registerWrite,
  },
  {
    name: 'follow',
    operands: '<run>',
    description: 'Go on with a run: follow it to its end, answer, download',
    load: async () => (await import('#cli/commands/follow.js')).registerFollow,
  },
  {
    name: 'start',
    operands: '',
    description: 'Run the whole stack on this machine in the foreground, until Ctrl-C',
    load: async () => (await import('#cli/commands/start.js')).registerStart,
  },
  {
    name: 'migrate',
    operands: '',
    description:
      'Apply the migrations to DATABASE_URL (or DATABASE_URL_FILE); done already, it changes nothing',
    load: async () => (await import('#cli/commands/migrate.js')).registerMigrate,
  },
  {
    name: 'maintain',
    operands: null,
    description: 'Mend what older or foreign writers left in DATABASE_URL (or DATABASE_URL_FILE)',
    load: async () => (await import('#cli/commands/maintain.js')).registerMaintain,
  },
  {
    name: 'status',
    operands: '[run]',
    description: 'Tell whether the service is well, or where a run stands',
    load: async () => (await import('#cli/commands/status.js')).registerStatus,
  },
  {
    name: 'history',
    operands: '<run>',
    description: 'List the checkpoints of a run, newest first, with the ids that restore and fork take',
    load: async () => (await import('#cli/commands/history.js')).registerHistory,
  },
  {
    name: 'decisions',
    operands: '',
    description: 'List the questions that wait for an answer',
    load: async () => (await import('#cli/commands/decisions.js')).registerDecisions,
  },
  {
    name: 'answer',
    operands: '<decision> <answers...>',
    description: 'Answer a question of a run',
    load: async () => (await import('#cli/commands/answer.js')).registerAnswer,
  },
  {
    name: 'convert',
    operands: '<input>',
    description: 'Turn markdown into a Word document, a PDF or structure.json (no stack needed)',
    load: async () => (await import('#document/commands/convert.js')).registerConvert,
  },
  {
    name: 'knowledge',
    operands: null,
    description: 'What there is to know: add, list, search, remove',
    load: async () => (await import('#knowledge/commands.js')).registerKnowledge,
  },
  {
    name: 'reindex',
    operands: '',
    description:
      'Index sources anew, as after a change of the embedding model; the old index serves until then',
    load: async () => (await import('#knowledge/commands.js')).registerReindex,
  },
  {
    name: 'book',
    operands: null,
    description: 'Books: from sources to an outline, chapters and a file',
    load: async () => (await import('#book/commands.js')).registerBook,
  },
  {
    name: 'article',
    operands: null,
    description: 'Articles in the style of a corpus',
    load: async () => (await import('#article/commands.js')).registerArticle,
  },
  {
    name: 'plan',
    operands: null,
    description: 'Plans: graphs of tools that ask, plan anew and learn',
    load: async () => (await import('#plan/commands.js')).registerPlan,
  },
];

/**
 * Creates the program with all commands. Loads those that the command line names; the others are stubs for
 * the list of commands.
 *
 * @param names words of the command line
 */
export async function createProgram(names: readonly string[]): Promise<Command> {
  const program = new Command('scriptorium')
    .description('Raw files in, faithful structured writing out.')
    .showHelpAfterError('("scriptorium --help" and "scriptorium COMMAND --help" explain the options)');
  for (const { name, operands, description, load } of COMMANDS) {
    if (names.includes(name)) {
      (await load())(program.command(name).description(description));
    } else {
      const command = program.command(`${name} ${operands ?? ''}`).description(description);
      // A hidden option makes the list show `[options]`; only the loaded command knows its options.
      if (operands !== null) command.addOption(new Option('--any').hideHelp());
    }
  }
  return program;
}

export const COMMAND_NAMES: readonly string[] = COMMANDS.map(({ name }) => name);

import { articleCommands } from '#article/commands.js';
import { bookCommands } from '#book/commands.js';
import { changeCommands } from '#change/commands.js';
import type { LazyCommand } from '#cli/command.js';
import { cliCommands } from '#cli/commands.js';
import { documentCommands } from '#document/commands.js';
import { knowledgeCommands } from '#knowledge/commands.js';
import { planCommands } from '#plan/commands.js';
import { Command, Option } from 'commander';
import { translateUsage } from './usage.js';

/**
 * All commands in the order of the help: what users need first. Loading them all would cost a second, so a
 * command is loaded when it is called.
 */
const COMMANDS: readonly LazyCommand[] = [
  ...documentCommands,
  ...cliCommands,
  ...knowledgeCommands,
  ...bookCommands,
  ...articleCommands,
  ...changeCommands,
  ...planCommands,
];

/**
 * Creates the program with all commands. Loads the commands that the command line names; the others are
 * stubs for the list of commands.
 *
 * @param names words of the command line
 */
export async function createProgram(names: readonly string[]): Promise<Command> {
  const program = translateUsage(
    new Command('scriptorium').description('Turns raw files into faithful, structured documents.'),
  );
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

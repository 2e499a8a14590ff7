import { articleCommands } from '#article/commands.js';
import { bookCommands } from '#book/commands.js';
import { changeCommands } from '#change/commands.js';
import type { LazyCommand } from '#cli/command.js';
import { cliCommands } from '#cli/commands.js';
import { documentCommands } from '#document/commands.js';
import { knowledgeCommands } from '#knowledge/commands.js';
import { planCommands } from '#plan/commands.js';
import { reviewCommands } from '#review/commands.js';
import { Command, Option } from 'commander';
import { translate } from '#cli/language.js';
import { findText } from '#contracts/phrases/known-text.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { VERSION } from '#contracts/version.js';
import texts from '#locales/en.json' with { type: 'json' };

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
  ...reviewCommands,
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
    new Command('scriptorium')
      .description('Turns raw files into faithful, structured documents.')
      .version(VERSION, '-V, --version', 'print the version'),
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

const entries = Object.entries(texts.cli.commands);
const errors = Object.fromEntries(entries.filter(([code]) => /^usage\.\w+$/.test(code)));
const titles = new Map(
  entries.flatMap(([code, text]): [string, Phrase][] =>
    code.startsWith('usage.title.') ? [[text as string, { code, params: {} }]] : [],
  ),
);

/** Makes a program show commander's own messages in the terminal's language: errors, and the titles of its help. */
export function translateUsage(program: Command): Command {
  return program
    .showHelpAfterError(translate(phrase('usage.hint')))
    .configureOutput({ outputError: (text, write) => write(text.split('\n').map(translateLine).join('\n')) })
    .configureHelp({ styleTitle });
}

function styleTitle(title: string): string {
  const found = titles.get(title);
  return found ? translate(found) : title;
}

/** Returns a line of commander in the terminal's language; lines that others wrote are unchanged. */
function translateLine(line: string): string {
  const known = findText(errors, line);
  if (known === null) return line;
  const params = Object.entries(known.values).map(([name, value]) => [name, translateLine(value)]);
  return translate({ code: known.code, params: Object.fromEntries(params) as Phrase['params'] });
}

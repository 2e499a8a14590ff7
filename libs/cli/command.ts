import type { Command } from 'commander';

/** A command of the CLI; its code is loaded when it is called. */
export interface LazyCommand {
  name: string;
  /** Arguments for the list of commands; null for a command with sub-commands only and no options. */
  operands: string | null;
  description: string;
  /** Loads the function that adds arguments, options, commands and an action to the command. */
  load: () => Promise<(command: Command) => void>;
}

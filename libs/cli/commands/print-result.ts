import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { Command } from 'commander';
import type { ApiClient } from '../client/api-client.js';
import { createProgress, type Progress } from '../progress/progress.js';
import { dataDirOption } from '../stack/data-dir.js';
import { interruptible } from '../stack/signals.js';
import { withService, type Work } from '../stack/with-service.js';
import { printable } from '../progress/printable.js';

/** Options of all commands that print a result. */
export interface PrintOptions {
  json: boolean;
  dataDir: string;
}

/** Adds the options of `PrintOptions`. @param json description of `--json` */
export const withPrintOptions = (
  command: Command,
  json = 'print one JSON object on standard output',
): Command => command.option('--json', json, false).addOption(dataDirOption());

/**
 * Prints the result of `read` from the service, which is started if none runs.
 *
 * @throws CliError when the service cannot be reached; errors of `read`
 */
export async function printRead<T>(
  options: PrintOptions,
  read: (client: ApiClient) => Promise<T>,
  render: (result: T) => string,
): Promise<void> {
  const printed = createPrinter(createProgress(), phrase('cli_error.nothing_printed'));
  await printed(options, ({ client }) => read(client), render);
}

/**
 * Returns a function that runs `work` with the service, which is started if none runs, and prints the result.
 * It throws a CliError if the service cannot be reached, and passes on errors of `work`.
 *
 * @param remains printed when the command is interrupted: what remains, and how to continue with it
 */
export const createPrinter =
  (progress: Progress, remains: Phrase) =>
  async <T>(
    { json, dataDir }: PrintOptions,
    work: (given: Work) => Promise<T>,
    render: (result: T) => string,
  ): Promise<void> => {
    const result = await withService(dataDir, progress, (given) =>
      interruptible(given.signal, remains, () => work(given)),
    );
    print(json, result, render);
  };

/** Prints a result on standard output: as JSON for scripts, else as `render` shows it to people. */
export function print<T>(json: boolean, result: T, render: (result: T) => string): void {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : printable(render(result)));
}

/** Returns a renderer of lists, with a line for each item. */
export const renderLines =
  <T>(renderLine: (item: T) => string) =>
  (items: readonly T[]): string =>
    items.map((item) => `${renderLine(item)}\n`).join('');

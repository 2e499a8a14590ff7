import type { Command } from 'commander';
import type { ApiClient } from '../client/api-client.js';
import type { Progress } from '../progress/progress.js';
import { connect } from '../stack/connect.js';
import { dataDirOption } from '../stack/data-dir.js';
import { interruptible } from '../stack/signals.js';
import { type Work, withService } from '../stack/with-service.js';
import { print } from './print.js';

/** Options that every command has which prints a result. */
export interface PrintOptions {
  json: boolean;
  dataDir: string;
}

/** Adds the options of `PrintOptions`. @param json description of `--json` */
export const withPrintOptions = (command: Command, json = 'as one JSON object on standard output'): Command =>
  command.option('--json', json, false).addOption(dataDirOption());

/** Prints what `read` returns from a service that already runs. @throws CliError when none runs; what `read` throws */
export async function printRead<T>(
  { json, dataDir }: PrintOptions,
  read: (client: ApiClient) => Promise<T>,
  render: (result: T) => string,
): Promise<void> {
  const { client } = await connect(dataDir);
  print(json, await read(client), render);
}

/**
 * Returns a function that works with the service, which is started when none runs, and prints the result. It throws a CliError
 * when the service cannot be reached, and what `work` throws.
 *
 * @param remains printed when a person ends the command: what is kept, and how to go on with it
 */
export const createPrinter =
  (progress: Progress, remains: string) =>
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

import { printable } from '../progress/printable.js';
import type { Progress } from '../progress/progress.js';
import { interruptible } from '../stack/signals.js';
import { type Work, withService } from '../stack/with-service.js';

/** Options that every command has which prints a result. */
export interface PrintOptions {
  json: boolean;
  dataDir: string;
}

/**
 * Works with the service, which is started when none runs, and prints what came of it.
 *
 * @param remains told when a person ends the command: what is kept, and how to go on with it
 * @throws CliError when the service cannot be reached; what `work` throws
 */
export async function printResult<T, P extends Progress>(
  { json, dataDir }: PrintOptions,
  progress: P,
  remains: string,
  work: (given: Work<P>) => Promise<T>,
  render: (result: T) => string,
): Promise<void> {
  const result = await withService(dataDir, progress, (given) =>
    interruptible(given.signal, remains, () => work(given)),
  );
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : printable(render(result)));
}

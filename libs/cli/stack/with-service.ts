import type { ApiClient } from '../client/api-client.js';
import type { Progress } from '../progress/progress.js';
import { type Connection, connectOrStart } from './connect.js';
import { endOnSignal } from './signals.js';

/** Resources of a command. */
export interface Work {
  client: ApiClient;
  connection: Connection;
  progress: Progress;
  /** Aborted when a person or a failure of the service ends the command. */
  signal: AbortSignal;
}

/**
 * Runs work with the service. If none runs, starts one in `dataDir` and stops it afterwards.
 *
 * @throws CliError when no service runs and none can be started; errors of `work`
 */
export async function withService<T>(
  dataDir: string,
  progress: Progress,
  work: (given: Work) => Promise<T>,
): Promise<T> {
  const say = (message: string) => progress.say(message);
  const { signal, fail } = endOnSignal(say);
  const connection = await connectOrStart(dataDir, say, fail);
  try {
    return await work({ client: connection.client, connection, progress, signal });
  } finally {
    progress.pause();
    await connection.close();
  }
}

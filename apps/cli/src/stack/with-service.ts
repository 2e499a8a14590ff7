import type { ApiClient } from '../client/api-client.js';
import type { Progress } from '../progress/progress.js';
import { type Connection, connectOrStart } from './connect.js';
import { endOnSignal } from './signals.js';

/** What a command works with. */
export interface Work {
  client: ApiClient;
  connection: Connection;
  progress: Progress;
  /** Aborted when a person, or trouble of the service, ends the command. */
  signal: AbortSignal;
}

/**
 * Works with the service, which is started in `dataDir` when none runs, and then stopped again.
 *
 * @throws CliError when the service is neither there nor can be started; what `work` throws
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

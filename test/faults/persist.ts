import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 200;

/** Deadline of retries, which moves while faults continue. */
export interface Deadline {
  /** Time in ms by this process's clock. */
  readonly at: number;
}

/**
 * Repeats an operation that fails while a server is unavailable.
 *
 * @param what description of the operation, which starts the error message
 * @throws Error if it still fails after the deadline, with the last failure
 */
export async function persist<T>(what: string, work: () => Promise<T>, deadline: Deadline): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline.at)
        throw new Error(`${what}: not by the deadline. Last failure: ${(error as Error).message}`, {
          cause: error,
        });
      await delay(PAUSE_MS);
    }
  }
}

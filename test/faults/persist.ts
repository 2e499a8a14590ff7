import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 200;

/** When patience ends; it moves while faults go on. */
export interface Deadline {
  /** By this process's clock, in milliseconds. */
  readonly at: number;
}

/**
 * Repeats work that fails while a server is away.
 *
 * @param what the work, in words; it begins the error
 * @throws Error when the work fails past the deadline, with the last failure
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

import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 200;

/** When patience ends; it moves while faults go on. */
export interface Deadline {
  /** By this process's clock, in milliseconds. */
  readonly at: number;
}

/** Repeats what fails while a server is away; past the deadline the last error is thrown. */
export async function persist<T>(work: () => Promise<T>, deadline: Deadline): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline.at) throw error;
      await delay(PAUSE_MS);
    }
  }
}

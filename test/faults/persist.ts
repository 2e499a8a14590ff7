import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 200;

/** Repeats what fails while a server is away; past the deadline the last error is thrown. */
export async function persist<T>(work: () => Promise<T>, deadline: number): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(PAUSE_MS);
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

const PAUSE_MS = 20;
/** Shorter than jest's own time limit of a test, so that a failed wait names its condition. */
const DEADLINE_MS = 120_000;

/**
 * Polls `look` until `holds` accepts its result, and returns that result. A wait does not keep the process alive after its test ended.
 *
 * @param what description of the condition; it starts the error message
 * @param holds accepts any truthy value by default
 * @param deadlineMs in milliseconds
 * @throws Error with the last result on a timeout; errors of `look`
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean = Boolean,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() > deadline)
      throw new Error(
        `${what}: not within ${deadlineMs / 1000} s. Last seen: ${inspect(seen, { depth: 4 })}`,
      );
    await delay(PAUSE_MS, undefined, { ref: false });
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

const PAUSE_MS = 20;
/** Below jest's own limit of a test, so that a wait that fails says what it waited for. */
const DEADLINE_MS = 120_000;

/**
 * Looks again and again until `holds` is true of what is seen, and returns that. A wait whose test has ended does not keep the process alive.
 *
 * @param what what is waited for, in words; it begins the error
 * @param holds true of any truthy value by default
 * @param deadlineMs in milliseconds
 * @throws Error when the deadline passes, with what was last seen; what `look` throws
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

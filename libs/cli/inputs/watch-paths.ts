import { watch } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Time in ms without a further change after which files count as complete. */
const QUIET_MS = 500;

/** Yields when files below the paths have changed and stayed as they are for a moment, until the signal aborts. */
export async function* changesBelow(paths: readonly string[], signal: AbortSignal): AsyncGenerator<void> {
  let changes = 0;
  let wake: () => void = () => undefined;
  const follow = async (path: string) => {
    for await (const _ of watch(path, { recursive: true, signal })) {
      changes += 1;
      wake();
    }
  };
  const ended = Promise.all(paths.map(follow)).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  for (let seen = 0; !signal.aborted; seen = changes) {
    while (changes === seen && !signal.aborted)
      await Promise.race([ended, new Promise<void>((resolve) => (wake = resolve))]);
    for (let last = -1; last !== changes && !signal.aborted;) {
      last = changes;
      await delay(QUIET_MS);
    }
    if (!signal.aborted) yield;
  }
}

/** Does the work once, then again after each change; an error of a repetition is reported, and the next change tries again. */
export async function repeatAfter(
  changes: AsyncIterable<unknown>,
  work: () => Promise<void>,
  report: (error: unknown) => void,
): Promise<void> {
  await work();
  for await (const _ of changes) await work().catch(report);
}

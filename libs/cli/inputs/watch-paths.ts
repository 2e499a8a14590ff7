import { watch } from 'node:fs/promises';
import { basename, resolve, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Time in ms without a further change after which files count as complete. */
const QUIET_MS = 500;

/**
 * Returns whether a changed file may be an input: it is not hidden, as partly written outputs are, and no output.
 *
 * @param changed path below the root, or the base name of a root that is a file
 * @param outputs absolute paths of files and folders that the command itself writes
 */
export function mayBeInput(root: string, changed: string, outputs: readonly string[]): boolean {
  if (changed === basename(root)) return true;
  const path = resolve(root, changed);
  const isOutput = outputs.some((output) => path === output || path.startsWith(output + sep));
  return !isOutput && !changed.split(sep).some((part) => part.startsWith('.'));
}

/**
 * Watches the paths from the first step on. Yields at once, and then when inputs below them have changed and stayed as
 * they are for a moment, until the signal aborts; a change during the work after a yield causes the next one.
 *
 * @param outputs see `mayBeInput`
 */
export async function* changesBelow(
  paths: readonly string[],
  outputs: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<void> {
  const stop = new AbortController();
  const end = AbortSignal.any([signal, stop.signal]);
  let changes = 0;
  let wake: () => void = () => undefined;
  const follow = async (path: string) => {
    for await (const { filename } of watch(path, { recursive: true, signal: end })) {
      if (filename !== null && !mayBeInput(path, filename, outputs)) continue;
      changes += 1;
      wake();
    }
  };
  const ended = Promise.all(paths.map(follow)).catch((error: unknown) => {
    if (!end.aborted) throw error;
  });
  // An error during the work is thrown by the next wait.
  ended.catch(() => undefined);
  try {
    for (let seen = 0; !signal.aborted;) {
      yield;
      while (changes === seen && !signal.aborted)
        await Promise.race([ended, new Promise<void>((changed) => (wake = changed))]);
      while (changes !== seen && !signal.aborted) {
        seen = changes;
        await delay(QUIET_MS);
      }
    }
  } finally {
    stop.abort();
  }
}

/** Does the work at each step; an error of the first ends it, that of a later one is reported, and the next step tries again. */
export async function repeatAt(
  steps: AsyncIterable<unknown>,
  work: () => Promise<void>,
  report: (error: unknown) => void,
): Promise<void> {
  let isFirst = true;
  for await (const _ of steps) {
    await (isFirst ? work() : work().catch(report));
    isFirst = false;
  }
}

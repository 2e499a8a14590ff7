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
 * Watches the paths from the call on. Yields when inputs below them have changed and stayed as they are for a moment,
 * until the signal aborts; a change during the work after a yield causes the next one.
 *
 * @param outputs see `mayBeInput`
 */
export function changesBelow(
  paths: readonly string[],
  outputs: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<void> {
  let changes = 0;
  let wake: () => void = () => undefined;
  const follow = async (path: string) => {
    for await (const { filename } of watch(path, { recursive: true, signal })) {
      if (filename !== null && !mayBeInput(path, filename, outputs)) continue;
      changes += 1;
      wake();
    }
  };
  const ended = Promise.all(paths.map(follow)).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  // An error before the first wait is thrown by that wait.
  ended.catch(() => undefined);
  return settled();

  async function* settled(): AsyncGenerator<void> {
    for (let seen = 0; !signal.aborted;) {
      while (changes === seen && !signal.aborted)
        await Promise.race([ended, new Promise<void>((changed) => (wake = changed))]);
      while (changes !== seen && !signal.aborted) {
        seen = changes;
        await delay(QUIET_MS);
      }
      if (!signal.aborted) yield;
    }
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

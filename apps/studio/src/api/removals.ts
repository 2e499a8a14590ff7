import { useSyncExternalStore } from 'react';
import { ApiProblem } from './client';

/** Something that is gone from the page but not from the service yet, so that it can be taken back. */
export interface Removal {
  id: string;
  name: string;
  remove: () => Promise<void>;
  /** Why the service did not remove it; it is on the page again. */
  error?: unknown;
}

/** So long a removal can be taken back. */
const GRACE_MS = 8_000;

const timers = new Map<string, number>();
const listeners = new Set<() => void>();
let removals: readonly Removal[] = [];

function replace(id: string, removal?: Removal): void {
  removals = [...removals.filter((other) => other.id !== id), ...(removal ? [removal] : [])];
  for (const listener of listeners) listener();
}

/** Takes something off the page now, and removes it when the time to take it back is over or the page is left. */
export function removeLater(removal: Removal): void {
  replace(removal.id, removal);
  timers.set(
    removal.id,
    window.setTimeout(() => void removeNow(removal), GRACE_MS),
  );
}

/** Leaves in place what was to be removed. */
export function takeBack(id: string): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  replace(id);
}

async function removeNow(removal: Removal): Promise<void> {
  timers.delete(removal.id);
  try {
    await removal.remove();
  } catch (error) {
    const isGone = error instanceof ApiProblem && error.problem.status === 404;
    if (!isGone) return replace(removal.id, { ...removal, error });
  }
  replace(removal.id);
}

window.addEventListener('pagehide', () => {
  for (const removal of removals) if (timers.has(removal.id)) void removeNow(removal);
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was removed a moment ago, and what could not be. */
export const useRemovals = (): readonly Removal[] => useSyncExternalStore(subscribe, () => removals);

/** Whether an item of a list is still to be shown: not one that is being removed. */
export function useIsRemaining(): (item: { id: string }) => boolean {
  const gone = new Set(useRemovals().flatMap(({ id, error }) => (error === undefined ? [id] : [])));
  return ({ id }) => !gone.has(id);
}

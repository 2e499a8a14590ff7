import { useSyncExternalStore } from 'react';
import { ApiProblem } from './api-query';

/** A removed item: hidden on the page, but not yet deleted by the service, so that it can be restored. */
export interface Removal {
  id: string;
  name: string;
  remove: () => Promise<unknown>;
  /** Error of the service; the item is then shown again. */
  error?: unknown;
}

/** Undo window in ms. */
const UNDO_MS = 8_000;

const timers = new Map<string, number>();
const listeners = new Set<() => void>();
let removals: readonly Removal[] = [];

function replace(id: string, removal?: Removal): void {
  removals = [...removals.filter((other) => other.id !== id), ...(removal ? [removal] : [])];
  for (const listener of listeners) listener();
}

/** Hides an item now, and deletes it when the undo window ends or the page closes. */
export function removeLater(removal: Removal): void {
  replace(removal.id, removal);
  timers.set(
    removal.id,
    window.setTimeout(() => void removeNow(removal), UNDO_MS),
  );
}

/** Deletes the hidden items now, before a request whose result depends on them. */
export async function settleRemovals(): Promise<void> {
  const waiting = removals.filter(({ id }) => timers.has(id));
  for (const { id } of waiting) clearTimeout(timers.get(id));
  await Promise.all(waiting.map(removeNow));
}

/** Cancels a removal. */
export function undoRemoval(id: string): void {
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

/** Returns the recent removals, including failed ones. */
export const useRemovals = (): readonly Removal[] => useSyncExternalStore(subscribe, () => removals);

/** Returns a filter for items that are not being removed. */
export function useIsRemaining(): (item: { id: string }) => boolean {
  const gone = new Set(useRemovals().flatMap(({ id, error }) => (error === undefined ? [id] : [])));
  return ({ id }) => !gone.has(id);
}

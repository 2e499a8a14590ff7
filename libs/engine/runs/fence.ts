import { AsyncLocalStorage } from 'node:async_hooks';

const legs = new AsyncLocalStorage<Fence>();

/** Property of the global object by which a debugger session reads the leg that is computing now; see `BlockWatch`. */
export const CURRENT_LEG = 'scriptoriumCurrentLeg';

Object.defineProperty(globalThis, CURRENT_LEG, { configurable: true, get: () => legs.getStore() ?? null });

/** Executes a leg, so that a watch can name its run if the leg blocks the event loop. */
export const withinLeg = <T>(fence: Fence, execute: () => Promise<T>): Promise<T> => legs.run(fence, execute);

/** Right of one runner to write for a run: a later claim or cancel raises the epoch and fences it out. */
export interface Fence {
  runId: string;
  epoch: number;
}

/**
 * Error of a writer that was fenced out: another runner claimed the run, or it was cancelled. Nothing was
 * written.
 */
export class StaleEpochError extends Error {
  override readonly name = 'StaleEpochError';

  constructor({ runId, epoch }: Fence) {
    super(`run ${runId} is no longer leased at epoch ${epoch}`);
  }
}

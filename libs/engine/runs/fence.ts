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

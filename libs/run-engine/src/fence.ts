/** Names the runner that may write for a run: a later claim raises the epoch and fences this one out. */
export interface Fence {
  runId: string;
  epoch: number;
}

/** The writer was fenced out: another runner holds the run, or it was cancelled. Nothing was written. */
export class StaleEpochError extends Error {
  override readonly name = 'StaleEpochError';

  constructor({ runId, epoch }: Fence) {
    super(`run ${runId} is no longer held at epoch ${epoch}`);
  }
}

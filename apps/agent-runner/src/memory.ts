/** Threads for what kinds compute, at most; fewer when fewer runs are advanced at once. */
export const MOST_THREADS = 4;
/** Memory of an agent-runner, in MiB. The limits of its container allow for all at once. */
export const MEMORY_MB = {
  /** Heap of one thread. */
  thread: 128,
  /** Vectors of searches. */
  vectors: 64,
};

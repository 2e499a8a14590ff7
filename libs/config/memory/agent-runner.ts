/** Maximum number of threads for the computations of kinds; a lower `AGENT_CONCURRENCY` lowers it. */
export const MAX_THREADS = 4;
/** Memory of an agent-runner, in MiB. Its container's limit covers their sum. */
export const MEMORY_MB = {
  /** Heap of one thread. */
  thread: 128,
  /** Vectors of searches. */
  vectors: 64,
};

/** Heaps of the threads of a converter, in MiB. Its container's limit covers their sum. */
export const MEMORY_MB = {
  /** Heap for one conversion step; there are `WORKER_THREADS` threads. */
  conversion: 1_280,
  /** Heap of the single thread that traces sources in documents. */
  tracing: 1_024,
};

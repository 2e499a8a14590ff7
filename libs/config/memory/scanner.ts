/**
 * Heaps of the threads of a scanner, in MiB; each kind has `WORKER_THREADS` threads. Its container's limit
 * covers their sum.
 */
export const MEMORY_MB = {
  references: 256,
  /** Heap for one step; the passages of the largest source, or the largest segment, need less. */
  index: 640,
};

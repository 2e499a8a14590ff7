/** Heaps of the threads of a scanner, in MiB; `WORKER_THREADS` of each kind. Its container's limit covers their sum. */
export const MEMORY_MB = {
  references: 256,
  /** One step: the passages of the largest source, and the largest segment, take less. */
  index: 640,
};

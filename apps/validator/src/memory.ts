/** Heap of one validation, in MiB, in `WORKER_THREADS` threads. The limits of the container allow for all at once. */
export const MEMORY_MB = 1_400;

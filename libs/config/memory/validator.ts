/** Heap of one validation, in MiB, in `WORKER_THREADS` threads. Its container's limit covers their sum. */
export const MEMORY_MB = 1_400;

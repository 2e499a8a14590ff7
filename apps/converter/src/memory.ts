/** Heaps of the threads of a converter, in MiB. Its container's limit covers their sum. */
export const MEMORY_MB = {
  /** One step of a conversion, in `WORKER_THREADS` threads. */
  conversion: 1_280,
  /** The one thread that traces sources in documents. */
  tracing: 1_024,
};

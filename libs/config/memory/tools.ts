/** Memory of a tools worker without its parsing processes, in MiB. Its container's limit covers their sum. */
export const MEMORY_MB = {
  /** Heap of the one thread that converts. */
  conversion: 1_280,
  /** Vectors of searches. */
  vectors: 64,
};

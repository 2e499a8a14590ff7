/** Memory of a tools worker beside its parsing processes, in MiB. The limits of its container allow for all at once. */
export const MEMORY_MB = {
  /** Heap of the one thread that converts. */
  conversion: 1_280,
  /** Vectors of searches. */
  vectors: 64,
};

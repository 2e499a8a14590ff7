/**
 * Threads of a gateway and their heaps in MiB. They start on first use. The container's memory limit covers
 * their sum and `VECTOR_CACHE_MB`.
 */
export const THREADS = {
  style: { threads: 2, memoryMb: 384 },
  diff: { threads: 2, memoryMb: 192 },
  changes: { threads: 1, memoryMb: 192 },
  reviews: { threads: 1, memoryMb: 192 },
  chapters: { threads: 2, memoryMb: 192 },
};

/**
 * The threads of a gateway and their heaps, in MiB. They start when a client first asks for them. The limits of its container allow for all
 * at once, beside `VECTOR_CACHE_MB`.
 */
export const THREADS = {
  style: { threads: 2, memoryMb: 384 },
  diff: { threads: 2, memoryMb: 192 },
  chapters: { threads: 2, memoryMb: 192 },
};

/** Threads in which a process evaluates what tenants wrote as code, and the heap of each in MiB. */
export const APART = { threads: 2, memoryMb: 64 };

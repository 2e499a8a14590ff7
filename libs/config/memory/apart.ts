/** Threads in which a process evaluates what tenants wrote as code, and the heap of each in MiB. */
export const APART = { threads: 2, memoryMb: 64 };
/** Processes in which a service checks such code by native parsers, and the resident memory limit of each in MiB. */
export const CHECKING = { processes: 2, memoryMb: 256 };

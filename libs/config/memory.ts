// Memory in MiB of the threads and processes of each app. The memory limit of its container covers their sum.

/** Threads of a gateway for whole texts, and their heaps. They start on first use. */
export const GATEWAY_THREADS = { threads: 4, memoryMb: 384 };

/** Maximum number of an agent-runner's threads for the computations of kinds; a lower `AGENT_CONCURRENCY` lowers it. */
export const MAX_RUNNER_THREADS = 4;
/** Heap of one thread of an agent-runner, and its vectors of searches. */
export const RUNNER_MB = { thread: 128, vectors: 64 };

/** Heap of a scanner's thread for a source, in `WORKER_THREADS` threads of each kind; the largest segment needs less. */
export const SCANNER_MB = { references: 256, index: 640 };

/** Heap of one validation, in `WORKER_THREADS` threads. */
export const VALIDATOR_MB = 1_400;

/** Heap of a conversion step, in `WORKER_THREADS` threads, and of the single thread that traces sources in documents. */
export const CONVERTER_MB = { conversion: 1_280, tracing: 1_024 };

/** Heap of the one thread of a tools worker that converts, and its vectors of searches. */
export const TOOLS_MB = { conversion: 1_280, vectors: 64 };

/**
 * Resident memory limit of one parsing process. A PDF of 50 MB unpacks to several hundred MiB; tables of a query need
 * more.
 */
export const PARSING_MEMORY_MB = 1_100;
/** Parsing processes of a worker that one tenant alone cannot occupy. */
export const RESERVED_PROCESSES = 1;

/** Threads in which a process evaluates what tenants wrote as code. */
export const APART = { threads: 2, memoryMb: 64 };
/** Processes in which a service checks such code by native parsers. */
export const CHECKING = { processes: 2, memoryMb: 256 };

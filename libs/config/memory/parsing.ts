/**
 * Resident memory limit of one parsing process, in MiB. A PDF of 50 MB unpacks to several hundred MiB; tables
 * of a query need more.
 */
export const PARSING_MEMORY_MB = 1_100;
/** Parsing processes of a worker that one tenant alone cannot occupy. */
export const RESERVED_PROCESSES = 1;

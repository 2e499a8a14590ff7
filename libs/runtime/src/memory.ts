/** Resident memory limit of one parsing process, in MiB: a PDF of 50 MB unpacks to several hundred, tables of a query to more. */
export const PARSING_MEMORY_MB = 1_100;
/** Parsing processes of a worker that one tenant alone cannot occupy. */
export const RESERVED_PROCESSES = 1;

/** What one parsing process may hold, in MiB: a PDF of 50 MB unpacks to several hundred, the tables of a query as JSON to more. */
export const PARSING_MEMORY_MB = 1_100;

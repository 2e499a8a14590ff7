/** The module that a process runs to compute; see `compute.worker.ts`. */
export const COMPUTE_WORKER = new URL('./compute.worker.js', import.meta.url);

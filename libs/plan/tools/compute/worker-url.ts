/** URL of the module that child processes run: `compute.worker.ts`. */
export const COMPUTE_WORKER = new URL('./compute.worker.js', import.meta.url);

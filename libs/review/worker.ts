import type { WorkerFeature } from '#kit/runtime/worker-app.js';

/** Tasks of reviews. */
export const reviewWorker: WorkerFeature = {
  scanner: async () => (await import('./tasks/scanner.js')).scannerTasks,
};

import type { WorkerFeature } from '#kit/runtime/worker-app.js';

/** Tasks of reviews. */
export const reviewWorker: WorkerFeature = {
  scanner: async () => (await import('./tasks/read-review.handler.js')).scannerTasks,
};

import type { WorkerFeature } from '#kit/runtime/worker-app.js';

/** Tasks of plans. */
export const planWorker: WorkerFeature = {
  tools: async () => (await import('./tasks/tools.js')).toolsTasks,
};

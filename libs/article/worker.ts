import type { WorkerFeature } from '#kit/runtime/worker-app.js';

/** Tasks of article runs. */
export const articleWorker: WorkerFeature = {
  converter: async () => (await import('./tasks/converter.js')).converterTasks,
};

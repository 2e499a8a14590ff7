import type { WorkerFeature } from '#kit/runtime/worker-app.js';

/** Tasks of book runs. */
export const bookWorker: WorkerFeature = {
  converter: async () => (await import('./tasks/converter.js')).converterTasks,
};

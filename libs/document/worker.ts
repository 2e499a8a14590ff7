import type { WorkerFeature } from '#kit/runtime/worker-app.js';

/** Tasks of document runs. */
export const documentWorker: WorkerFeature = {
  scanner: async () => (await import('./tasks/scanner.js')).scannerTasks,
  validator: async () => (await import('./tasks/validator.js')).validatorTasks,
  converter: async () => (await import('./tasks/converter.js')).converterTasks,
};

import type { WorkerFeature } from '#kit/runtime/worker-app.js';

/** Indexing of sources; it takes no jobs, but claims sources from the database. */
export const knowledgeWorker: WorkerFeature = {
  scanner: async () => (await import('./tasks/scanner.js')).scannerTasks,
};

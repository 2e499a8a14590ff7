import type { WorkerFeature } from '#kit/runtime/worker-app.js';
import { TinyShoutHandler } from './shout.handler.js';

export const tinyWorker: WorkerFeature = {
  converter: () => Promise.resolve({ handlers: [TinyShoutHandler], services: [] }),
};

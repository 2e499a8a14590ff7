import { documentWorker } from '#document/worker.js';
import { runWorkerApp } from '#kit/runtime/worker-app.js';

runWorkerApp('validator', [documentWorker]);

import { planWorker } from '#plan/worker.js';
import { runWorkerApp } from '#kit/runtime/worker-app.js';

runWorkerApp('tools', [planWorker]);

import { documentWorker } from '#document/worker.js';
import { knowledgeWorker } from '#knowledge/worker.js';
import { runWorkerApp } from '#kit/runtime/worker-app.js';
import { reviewWorker } from '#review/worker.js';

runWorkerApp('scanner', [documentWorker, knowledgeWorker, reviewWorker]);

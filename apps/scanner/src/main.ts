import { documentWorker } from '#document/worker.js';
import { knowledgeWorker } from '#knowledge/worker.js';
import { runWorkerApp } from '#kit/runtime/worker-app.js';

runWorkerApp('scanner', [documentWorker, knowledgeWorker]);

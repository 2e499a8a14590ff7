import { articleWorker } from '#article/worker.js';
import { bookWorker } from '#book/worker.js';
import { documentWorker } from '#document/worker.js';
import { runWorkerApp } from '#kit/runtime/worker-app.js';

runWorkerApp('converter', [documentWorker, bookWorker, articleWorker]);

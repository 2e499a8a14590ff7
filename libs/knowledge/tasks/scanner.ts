import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import { Indexer } from './indexer.js';

export const scannerTasks: WorkerTasks = { handlers: [], services: [ParsingProcesses, Indexer] };

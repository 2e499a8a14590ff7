import { ConversionPool } from '#kit/conversion/conversion-pool.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import { BookExportHandler } from './export.handler.js';

export const converterTasks: WorkerTasks = { handlers: [BookExportHandler], services: [ConversionPool] };

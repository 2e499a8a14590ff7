import { ConversionPool } from '#kit/conversion/conversion-pool.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import { ConvertHandler } from './convert.handler.js';
import { ParseToJsonHandler } from './parse-to-json.handler.js';
import { QualityCheckHandler } from './quality-check.handler.js';

export const converterTasks: WorkerTasks = {
  handlers: [ParseToJsonHandler, ConvertHandler, QualityCheckHandler],
  services: [ConversionPool],
};

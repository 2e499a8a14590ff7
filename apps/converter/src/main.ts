import { runWorkerApp } from '#kit/runtime/worker-app.js';
import { BookExportHandler } from '#book/tasks/export.handler.js';
import { ConversionPool } from '#kit/conversion/conversion-pool.js';
import { ConvertHandler } from '#document/tasks/convert.handler.js';
import { ParseToJsonHandler } from '#document/tasks/parse-to-json.handler.js';
import { QualityCheckHandler } from '#document/tasks/quality-check.handler.js';

runWorkerApp(
  'converter',
  [ParseToJsonHandler, ConvertHandler, QualityCheckHandler, BookExportHandler],
  [ConversionPool],
);

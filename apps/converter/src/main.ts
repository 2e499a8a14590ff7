import { runWorkerApp } from '#runtime/worker-app.js';
import { BookExportHandler } from './book-export.handler.js';
import { ConversionPool } from './conversion-pool.js';
import { ConvertHandler } from './convert.handler.js';
import { ParseToJsonHandler } from './parse-to-json.handler.js';
import { QualityCheckHandler } from './quality-check.handler.js';

runWorkerApp(
  'converter',
  [ParseToJsonHandler, ConvertHandler, QualityCheckHandler, BookExportHandler],
  [ConversionPool],
);

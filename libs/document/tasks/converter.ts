import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { ConversionPool } from '#kit/conversion/conversion-pool.js';
import { WordTemplates } from '#kit/conversion/word-templates.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import { ConvertHandler } from './convert.handler.js';
import { ParseToJsonHandler } from './parse-to-json.handler.js';
import { QualityCheckHandler } from './quality-check.handler.js';

export const converterTasks: WorkerTasks = {
  handlers: [ParseToJsonHandler, ConvertHandler, QualityCheckHandler],
  services: [
    ...provideRepositories(SessionFileRepository, ExportRepository, ApiKeyRepository),
    ConversionPool,
    WordTemplates,
  ],
};

import { ExportRepository } from '#db/repositories/exports.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { ConversionPool } from '#kit/conversion/conversion-pool.js';
import { Publisher } from '#kit/conversion/publisher.js';
import { WordTemplates } from '#kit/conversion/word-templates.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import { ArticleExportHandler } from './export.handler.js';

export const converterTasks: WorkerTasks = {
  handlers: [ArticleExportHandler],
  services: [
    ...provideRepositories(ExportRepository, SessionFileRepository),
    ConversionPool,
    Publisher,
    WordTemplates,
  ],
};

import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { CommentRepository } from '#db/repositories/comments.js';
import { ProposalRepository } from '#db/repositories/proposals.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { ConversionPool } from '#kit/conversion/conversion-pool.js';
import { Publisher } from '#kit/conversion/publisher.js';
import { TrackedChanges } from '#kit/conversion/tracked-changes.js';
import { WordTemplates } from '#kit/conversion/word-templates.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import { BookChapterRepository } from '../store/chapters.js';
import { BookRepository } from '../store/projects.js';
import { BookExportHandler } from './export.handler.js';

export const converterTasks: WorkerTasks = {
  handlers: [BookExportHandler],
  services: [
    ...provideRepositories(
      BookRepository,
      BookChapterRepository,
      ApiKeyRepository,
      ExportRepository,
      CommentRepository,
      ProposalRepository,
      SessionFileRepository,
    ),
    ConversionPool,
    Publisher,
    TrackedChanges,
    WordTemplates,
  ],
};

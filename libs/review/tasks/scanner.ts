import { CommentRepository } from '#db/repositories/comments.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import { ProposalRepository } from '#db/repositories/proposals.js';
import { RunRepository } from '#db/repositories/runs.js';
import { ReadReviewHandler } from './read-review.handler.js';

export const scannerTasks: WorkerTasks = {
  handlers: [ReadReviewHandler],
  services: [
    ...provideRepositories(ExportRepository, ProposalRepository, CommentRepository, RunRepository),
    ParsingProcesses,
  ],
};

import { RememberedDecisionRepository } from '#db/repositories/decisions.js';
import { RunRepository } from '#db/repositories/runs.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import { TextExtractor, ReferenceFinder } from './text-extractor.js';
import { ScanAssetsHandler } from './scan-assets.handler.js';

export const scannerTasks: WorkerTasks = {
  handlers: [ScanAssetsHandler],
  services: [
    ...provideRepositories(SessionFileRepository, RememberedDecisionRepository, RunRepository),
    ParsingProcesses,
    TextExtractor,
    ReferenceFinder,
  ],
};

import { SessionFileRepository } from '#db/repositories/session-files.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import { ValidateMdHandler } from './validate-md.handler.js';

export const validatorTasks: WorkerTasks = {
  handlers: [ValidateMdHandler],
  services: provideRepositories(SessionFileRepository),
};

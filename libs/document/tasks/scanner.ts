import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import { ReferenceFinder } from './reference-finder.js';
import { ScanAssetsHandler } from './scan-assets.handler.js';
import { TextExtractor } from './text-extractor.js';

export const scannerTasks: WorkerTasks = {
  handlers: [ScanAssetsHandler],
  services: [ParsingProcesses, TextExtractor, ReferenceFinder],
};

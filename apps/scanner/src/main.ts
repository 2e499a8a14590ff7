import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import { runWorkerApp } from '#kit/runtime/worker-app.js';
import { Indexer } from '#knowledge/tasks/indexer.js';
import { ScanAssetsHandler } from '#document/tasks/scan-assets.handler.js';
import { ReferenceFinder } from '#document/tasks/reference-finder.js';
import { TextExtractor } from '#document/tasks/text-extractor.js';

runWorkerApp('scanner', [ScanAssetsHandler], [ParsingProcesses, TextExtractor, ReferenceFinder, Indexer]);

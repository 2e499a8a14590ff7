import { ParsingProcesses } from '#runtime/parsing-processes.js';
import { runWorkerApp } from '#runtime/worker-app.js';
import { Indexer } from './knowledge/indexer.js';
import { ScanAssetsHandler } from './scan-assets.handler.js';
import { ReferenceFinder } from './reference-finder.js';
import { TextExtractor } from './text-extractor.js';

runWorkerApp('scanner', [ScanAssetsHandler], [ParsingProcesses, TextExtractor, ReferenceFinder, Indexer]);

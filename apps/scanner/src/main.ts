import { runWorkerApp } from '#runtime/worker-app.js';
import { ScanAssetsHandler } from './scan-assets.handler.js';
import { TextExtractor } from './text-extractor.js';

runWorkerApp('scanner', [ScanAssetsHandler], [TextExtractor]);

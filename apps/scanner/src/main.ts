import { runWorkerApp } from '#runtime/worker-app.js';
import { ScanAssetsHandler } from './scan-assets.handler.js';

runWorkerApp('scanner', [ScanAssetsHandler]);

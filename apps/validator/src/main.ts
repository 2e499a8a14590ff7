import { runWorkerApp } from '#runtime/worker-app.js';
import { ValidateMdHandler } from './validate-md.handler.js';

runWorkerApp('validator', [ValidateMdHandler]);

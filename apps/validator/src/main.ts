import { runWorkerApp } from '#kit/runtime/worker-app.js';
import { ValidateMdHandler } from '#document/tasks/validate-md.handler.js';

runWorkerApp('validator', [ValidateMdHandler]);

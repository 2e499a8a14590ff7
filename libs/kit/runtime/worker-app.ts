import 'reflect-metadata';
import { loadSettings, settingsOfWorkers } from '#config/settings.js';
import { jobWorker } from '#engine/queue/job-worker.js';
import { collectHandlers } from '#engine/queue/task-handler.js';
import type { Engine } from '#engine/engine.js';
import { taskProcessor } from '#engine/tasks/task-processor.js';
import { NestLogger } from '#telemetry/nest-logger.js';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ENGINE, InfrastructureModule, openInfrastructure } from './infrastructure.module.js';
import { main, sayReady, stopOnSignal } from './main.js';
import { serveOwnMetrics } from './own-metrics.js';
import { limitTenants, RESERVED_PLACES } from './tenant-limit.js';

@Module({})
class WorkerModule {}

/**
 * Runs a worker app: checks that every task of its queue has exactly one handler, then processes jobs until a
 * signal. Any number of workers can run, on any machine.
 *
 * @param handlers classes with `@TaskHandler`
 * @param services further providers that the handlers inject
 */
export function runWorkerApp(
  queue: keyof typeof settingsOfWorkers,
  handlers: Type[],
  services: Type[] = [],
): void {
  main(queue, async () => {
    const settings = loadSettings(settingsOfWorkers[queue], process.env);
    const infrastructure = await openInfrastructure(queue, settings);
    const { log } = infrastructure;
    const worker = jobWorker(
      {
        queue,
        concurrency: settings.WORKER_CONCURRENCY + RESERVED_PLACES,
        onError: infrastructure.queueBackend.onError,
      },
      (engine: Engine, ...given: object[]) =>
        limitTenants(
          taskProcessor(engine, queue, collectHandlers(queue, given), settings.UNSERVED_SECONDS),
          settings.WORKER_CONCURRENCY,
        ),
      [ENGINE, ...handlers],
    );
    const app = await NestFactory.createApplicationContext(
      {
        module: WorkerModule,
        imports: [InfrastructureModule.of(infrastructure, settings)],
        providers: [...services, ...handlers, worker],
      },
      { logger: new NestLogger(log), abortOnError: false },
    );
    const stopMetrics = await serveOwnMetrics(queue, settings, infrastructure);
    stopOnSignal(log, async () => {
      await app.close();
      await stopMetrics();
      await infrastructure.close();
    });
    sayReady(log, { queue, concurrency: settings.WORKER_CONCURRENCY });
  });
}

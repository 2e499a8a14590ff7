import 'reflect-metadata';
import { loadSettings, workerSettings } from '#config/settings.js';
import type { QueueName } from '#contracts/queues.js';
import { collectHandlers } from '#queue/task-handler.js';
import { startTaskWorker } from '#run-engine/task-worker.js';
import { NestLogger } from '#telemetry/nest-logger.js';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InfrastructureModule, openInfrastructure } from './infrastructure.module.js';
import { main, sayReady, stopOnSignal } from './main.js';
import { serveOwnMetrics } from './own-metrics.js';

@Module({})
class WorkerModule {}

/**
 * Runs a worker app: checks that every task of its queue has exactly one handler, then works the queue until a
 * signal. Any number of these may run, on any machine.
 *
 * @param handlers classes with `@TaskHandler`
 * @param services further providers that the handlers inject
 */
export function runWorkerApp(queue: QueueName, handlers: Type[], services: Type[] = []): void {
  main(async () => {
    const settings = loadSettings(workerSettings, process.env);
    const infrastructure = await openInfrastructure(queue, settings);
    const { log, engine } = infrastructure;
    const app = await NestFactory.createApplicationContext(
      {
        module: WorkerModule,
        imports: [InfrastructureModule.of(infrastructure, settings)],
        providers: [...services, ...handlers],
      },
      { logger: new NestLogger(log) },
    );
    const map = collectHandlers(
      queue,
      handlers.map((handler) => app.get<object>(handler)),
    );
    const worker = startTaskWorker(
      engine,
      queue,
      map,
      settings.WORKER_CONCURRENCY,
      settings.UNSERVED_SECONDS,
    );
    const stopMetrics = await serveOwnMetrics(queue, settings, infrastructure);
    stopOnSignal(log, async () => {
      await worker.close();
      await stopMetrics();
      await app.close();
    });
    sayReady(log, { queue, concurrency: settings.WORKER_CONCURRENCY });
  });
}

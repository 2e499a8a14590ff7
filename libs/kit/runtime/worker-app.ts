import 'reflect-metadata';
import { loadSettings, settingsOfWorkers } from '#config/settings.js';
import { jobWorker } from '#engine/queue/job-worker.js';
import { collectHandlers } from '#engine/queue/task-handler.js';
import type { Engine } from '#engine/engine.js';
import { limitTenants, RESERVED_PLACES, taskProcessor } from '#engine/tasks/task-processor.js';
import { NestLogger } from '#telemetry/nest-logger.js';
import { Module, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ENGINE, InfrastructureModule, openInfrastructure } from './infrastructure.module.js';
import { main, logReady, stopOnSignal } from './main.js';
import { serveOwnMetrics } from './own-metrics.js';

@Module({})
class WorkerModule {}

type WorkerQueue = keyof typeof settingsOfWorkers;

/** Parts that a feature adds to a worker. */
export interface WorkerTasks {
  /** Classes with `@TaskHandler`. */
  handlers: Type[];
  /** Further providers that the handlers inject. */
  services: Provider[];
}

/** Parts that a feature adds to workers, by queue; loaded only by the worker of that queue. */
export type WorkerFeature = Partial<Record<WorkerQueue, () => Promise<WorkerTasks>>>;

/**
 * Runs a worker app: checks that every task of its queue has exactly one handler, then processes jobs until a
 * signal. Any number of workers can run, on any machine.
 */
export function runWorkerApp(queue: WorkerQueue, features: readonly WorkerFeature[]): void {
  main(queue, async () => {
    const loaded = await Promise.all(features.flatMap((feature) => feature[queue]?.() ?? []));
    const handlers = loaded.flatMap((tasks) => tasks.handlers);
    const services = [...new Set(loaded.flatMap((tasks) => tasks.services))];
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
    logReady(log, { queue, concurrency: settings.WORKER_CONCURRENCY });
  });
}

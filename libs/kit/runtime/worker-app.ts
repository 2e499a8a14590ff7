import 'reflect-metadata';
import { loadSettings, settingsOfWorkers } from '#config/settings.js';
import { jobWorker, JobPostponedError, type JobProcessor } from '#engine/queue/job-worker.js';
import { collectHandlers } from '#engine/queue/task-handler.js';
import type { Engine } from '#engine/engine.js';
import { taskProcessor } from '#engine/tasks/task-processor.js';
import { NestLogger } from '#telemetry/nest-logger.js';
import { Module, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ENGINE, InfrastructureModule, openInfrastructure } from './infrastructure.module.js';
import { main, logReady, stopOnSignal } from './main.js';
import { serveOwnMetrics } from './own-metrics.js';
import { taskJobSchema } from '#contracts/queues.js';
import { KeyedSemaphore } from '#engine/tasks/locks.js';

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

/** Places of a worker that one tenant alone cannot occupy. */
export const RESERVED_PLACES = 3;
/** Average wait in ms of a task over its tenant's limit. Its place then serves the next task of the queue. */
const WAIT_MS = 60;
/** The wait already bounds how often a task returns to its queue. */
const DELAY_MS = 1;
/** Turns that a task over the limit lets pass, because tasks of other tenants may be behind it. */
const TURNS = 3;

/**
 * Limits the concurrent tasks of each tenant, so that the places above the limit serve other tenants during a
 * flood. A task over the limit waits for a place of its tenant. It returns to its queue, some turns later, after a
 * while, or as soon as another tenant's task arrives, because that tenant may have more tasks in the queue.
 *
 * @param limit concurrent tasks of one tenant
 * @param waitMs average wait; it varies, so that the reserved places do not all wait at the same time
 */
export function limitTenants(processor: JobProcessor, limit: number, waitMs = WAIT_MS): JobProcessor {
  const places = new KeyedSemaphore(limit);
  const waiting = new Map<AbortController, string>();
  const postpone = (controller: AbortController) => controller.abort(new JobPostponedError(DELAY_MS, TURNS));
  const begin = (controller: AbortController, tenant: string) => {
    waiting.delete(controller);
    for (const [other, itsTenant] of waiting) if (itsTenant !== tenant) postpone(other);
  };
  return {
    process: async (job, signal) => {
      const { tenant_id, run_id } = taskJobSchema.parse(job.data);
      const tenant = tenant_id ?? run_id;
      const controller = new AbortController();
      if (!places.isFree(tenant)) waiting.set(controller, tenant);
      const timer = setTimeout(() => postpone(controller), waitMs * (0.5 + Math.random()));
      try {
        await places.within(tenant, AbortSignal.any([signal, controller.signal]), () => {
          clearTimeout(timer);
          begin(controller, tenant);
          return processor.process(job, signal);
        });
      } finally {
        clearTimeout(timer);
        waiting.delete(controller);
      }
    },
    onStop: async () => processor.onStop?.(),
  };
}

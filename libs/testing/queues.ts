import type { QueueName } from '#contracts/queues.js';
import { openQueueBackend, type QueueBackendOptions } from '#engine/queue/backend.js';
import { JobQueues } from '#engine/queue/job-queues.js';
import { jobWorker, type JobProcessor } from '#engine/queue/job-worker.js';
import { QueueModule } from '#engine/queue/queue.module.js';
import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

@Module({})
class WorkerModule {}

/** A worker outside an app. */
export interface TestWorker {
  /** Stops the worker and releases jobs that are not done within the grace period. */
  close(): Promise<void>;
}

interface WorkOptions {
  concurrency: number;
  /** Grace period in milliseconds; the apps' default if unset. */
  graceMs?: number;
}

/** Queues of a process other than an app, such as a spec or a benchmark. */
export interface ConnectedQueues extends JobQueues {
  /** Starts a worker on a queue, like the apps. */
  work(queue: QueueName, processor: JobProcessor | JobProcessor['process'], options: WorkOptions): TestWorker;
  close(): Promise<void>;
}

const context = (module: DynamicModule) =>
  NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });

/**
 * Connects to the queue backend that the URL selects.
 *
 * @param url `redis://…`, `rediss://…` or `postgres://…`
 */
export async function connectJobQueues(url: string, options: QueueBackendOptions): Promise<ConnectedQueues> {
  const backend = await openQueueBackend(url, options);
  const app = await context(QueueModule.of(backend));
  const workers = new Set<TestWorker>();
  const work: ConnectedQueues['work'] = (name, processor, { concurrency, graceMs }) => {
    const { connection, onError } = backend;
    const given = { queue: name, concurrency, onError, ...(graceMs === undefined ? {} : { graceMs }) };
    const create = () => (typeof processor === 'function' ? { process: processor } : processor);
    const imports = [BullModule.registerQueue({ name, connection })];
    const started = context({ module: WorkerModule, imports, providers: [jobWorker(given, create)] });
    let closed: Promise<void> | null = null;
    const worker = { close: () => (closed ??= started.then((each) => each.close())) };
    workers.add(worker);
    return worker;
  };
  return Object.assign(app.get(JobQueues), {
    work,
    async close() {
      await Promise.all([...workers].map((worker) => worker.close()));
      await app.close();
      await backend.close();
    },
  });
}

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
  /** Gives back what is not done within the grace. */
  close(): Promise<void>;
}

interface WorkOptions {
  concurrency: number;
  /** Milliseconds; as in the apps when left out. */
  graceMs?: number;
}

/** Queues of a process that is no app: a spec, a benchmark. */
export interface ConnectedQueues extends JobQueues {
  /** Starts a worker on a queue, as the apps do. */
  work(queue: QueueName, processor: JobProcessor | JobProcessor['process'], options: WorkOptions): TestWorker;
  close(): Promise<void>;
}

const context = (module: DynamicModule) =>
  NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });

/**
 * Connects to the queue backend that the URL names.
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

import { queueNames } from '#contracts/queues.js';
import { everyQueueColumn, queueColumns } from '#testing/columns.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { connectJobQueues, type ConnectedQueues } from '#testing/queues.js';
import { emptyRedis } from '#testing/redis.js';
import { until } from '#testing/until.js';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { openQueueBackend, type QueueBackend } from './backend.js';
import { JobPostponedError, jobWorker } from './job-worker.js';
import { QueueModule } from './queue.module.js';
import { collectHandlers } from './task-handler.js';

@Module({})
class AppModule {}

describe('queues and workers as modules of Nest', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });

  const urlOf = async (name: string, queueUrl: string | null | undefined) =>
    name === 'redis' ? await emptyRedis(queueUrl!) : database.url;
  const connect = (url: string) => connectJobQueues(url, { maxConnections: 4, onError: () => undefined });
  const job = (jobId: string) => ({ queue: 'scanner' as const, name: 'scan_assets', jobId, data: {} });

  it('each connection uses the backend of its URL, also next to others in one process', async () => {
    const all: ConnectedQueues[] = [];
    for (const { name, queueUrl } of everyQueueColumn()) all.push(await connect(await urlOf(name, queueUrl)));
    const done: string[] = [];
    for (const queues of all)
      queues.work('scanner', async () => Promise.resolve(void done.push(queues.backend)), { concurrency: 1 });
    for (const queues of all) await queues.add(job(`on-${queues.backend}`));
    await until(
      'a job of each queue to be done',
      () => done,
      ({ length }) => length === all.length,
    );
    expect(done.sort()).toEqual(
      everyQueueColumn()
        .map(({ name }) => name)
        .sort(),
    );
    expect(all[0]!.all().map(({ name }) => name)).toEqual([...queueNames]);
    await Promise.all(all.map((queues) => queues.close()));
  });

  it.each(queueColumns())('a postponed job lets others pass by turn on $name', async ({ name, queueUrl }) => {
    const queues = await connect(await urlOf(name, queueUrl));
    const jobs = [1, 2, 3, 6].map((priority, index) => ({ ...job('abcd'[index]!), options: { priority } }));
    for (const each of jobs) await queues.add(each);
    const begun: string[] = [];
    const process = (each: { id?: string | undefined }) => {
      begun.push(each.id!);
      const isFirst = begun.length === 1;
      return isFirst ? Promise.reject(new JobPostponedError(1, 3)) : Promise.resolve();
    };
    queues.work('scanner', process, { concurrency: 1 });
    await until(
      'all jobs to be done',
      () => begun,
      ({ length }) => length === 5,
    );
    expect(begun).toEqual(['a', 'b', 'c', 'a', 'd']);
    await queues.close();
  });

  it.each(queueColumns())(
    'an app that lacks the handler of a task does not start on $name, and processes no job',
    async ({ name, queueUrl }) => {
      const url = await urlOf(name, queueUrl);
      const queues = await connect(url);
      await queues.add(job('left-alone'));
      const backend: QueueBackend = await openQueueBackend(url, { onError: () => undefined });
      const given = { queue: 'scanner' as const, concurrency: 1, onError: backend.onError };
      const worker = jobWorker(given, () => {
        collectHandlers('scanner', []);
        return { process: () => Promise.resolve() };
      });
      const imports = [QueueModule.of(backend)];
      const start = NestFactory.createApplicationContext(
        { module: AppModule, imports, providers: [worker] },
        { logger: false, abortOnError: false },
      );
      await expect(start).rejects.toThrow(
        "The queue scanner lacks handlers: add a class with @TaskHandler('scan_assets'",
      );
      expect(await queues.state('scanner', 'left-alone')).toBe('waiting');
      await Promise.all([queues.close(), backend.close()]);
    },
  );
});

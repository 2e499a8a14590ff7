import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { emptyRedis } from '#testing/redis.js';
import { queueColumns } from '#testing/columns.js';
import { connectJobQueues, type ConnectedQueues, type TestWorker } from '#testing/queues.js';
import { until } from '#testing/until.js';
import type { Queue } from 'bullmq';
import { positionOf, readFailedJobs, type FailedPosition } from './failed-jobs.js';
import { DeadLetter } from './job-worker.js';

const JOBS = 90;

describe.each(queueColumns())('failed jobs on the $name queue', ({ name, queueUrl }) => {
  let database: TestDatabase;
  let queues: ConnectedQueues;
  let queue: Queue;
  let worker: TestWorker;

  const add = (jobId: string) => queues.add({ queue: 'scanner', name: 'scan_assets', jobId, data: {} });
  const failed = (count: number) =>
    until(
      `${count} failed jobs`,
      () => queue.getFailedCount(),
      (seen) => seen === count,
    );

  beforeAll(async () => {
    database = await createTestDatabase();
    const url = name === 'redis' ? await emptyRedis(queueUrl!) : database.url;
    queues = await connectJobQueues(url, { onError: () => undefined });
    queue = queues.all().find((candidate) => candidate.name === 'scanner')!;
    const fail = () => Promise.reject(new DeadLetter('on purpose'));
    worker = queues.work('scanner', fail, { concurrency: 10 });
    await Promise.all(Array.from({ length: JOBS }, (_, index) => add(`first.${index}`)));
    await failed(JOBS);
  });
  afterAll(async () => {
    await worker.close();
    await queues.close();
    await database.drop();
  });

  async function walk(take: number, between: (page: number) => Promise<unknown>): Promise<string[]> {
    const seen: string[] = [];
    let after: FailedPosition | undefined;
    for (let page = 0; ; page++) {
      const jobs = await readFailedJobs(queue, take, after);
      seen.push(...jobs.map((job) => String(job.id)));
      if (jobs.length < take) return seen;
      after = positionOf(jobs.at(-1)!);
      await between(page);
    }
  }

  it.each([1, 7, 40, 1_000])('are read once each, newest first, in pages of %i', async (take) => {
    const jobs = await queue.getJobs(['failed']);
    const times = new Map(jobs.map((job) => [String(job.id), job.finishedOn!]));
    const seen = await walk(take, () => Promise.resolve());
    expect([...seen].sort()).toEqual([...times.keys()].sort());
    const order = seen.map((id) => times.get(id)!);
    expect(order).toEqual([...order].sort((one, other) => other - one));
  });

  it('are read once each if jobs fail or are removed between two pages', async () => {
    const before = await walk(1_000, () => Promise.resolve());
    const removed = new Set<string>();
    const seen = await walk(7, async (page) => {
      const behind = before[page * 7 + 20];
      for (const jobId of [before[page * 7]!, ...(behind === undefined ? [] : [behind])]) {
        if (removed.has(jobId)) continue;
        await queues.remove('scanner', jobId);
        removed.add(jobId);
      }
      await add(`later.${page}`);
      await failed(JOBS - removed.size + page + 1);
    });
    expect(new Set(seen).size).toBe(seen.length);
    const stayed = before.filter((id) => !removed.has(id));
    expect(seen.filter((id) => !removed.has(id))).toEqual(stayed);
  });
});

import { reconcile } from '#engine/recovery/reconcile.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOwnRedis, type OwnRedis } from './own-redis.js';
import { WORKER_TIMING } from '#engine/queue/job-worker.js';
import { connectJobQueues } from '#testing/queues.js';
import { queueColumns } from '#testing/columns.js';
import { until } from '#testing/until.js';
import { persist } from './persist.js';
import { startOwnBackends } from './servers.js';

describe.each(queueColumns())('X4 a restart of the queue on $name', ({ name }) => {
  let backends: Awaited<ReturnType<typeof startOwnBackends>>;
  beforeAll(async () => {
    backends = await startOwnBackends(name);
  });
  afterAll(() => backends.stop());

  it('does not prevent a worker from processing jobs afterwards', async () => {
    const { postgres, redis } = backends;
    const url = redis?.url ?? postgres.url;
    const queues = await connectJobQueues(url, { maxConnections: 3, onError: () => undefined });
    const done: (string | undefined)[] = [];
    const work = async ({ id }: { id?: string | undefined }) => void done.push(id);
    const worker = queues.work('converter', work, { concurrency: 1 });
    const add = (jobId: string) => queues.add({ queue: 'converter', name: 'convert', data: {}, jobId });
    try {
      await add('before');
      await until('the first job is done', () => done.length === 1);
      await (redis ? redis.restart() : postgres.restart('killed'));
      await persist('a job after the restart', () => add('after'), { at: Infinity });
      await until('the job that was added after the restart is done', () => done.includes('after'));
    } finally {
      await worker.close();
      await queues.close();
    }
  });
});

describe('X4 a queue on Redis that is unavailable', () => {
  let redis: OwnRedis;
  let dir: string;
  let bed: EngineBed;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'scriptorium-redis-'));
    redis = await startOwnRedis(dir);
    bed = await EngineBed.open({ name: 'redis', queueUrl: redis.url });
  });
  afterAll(async () => {
    await bed.close();
    await redis.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it('does not prevent the start of a run, which the reconciler dispatches later', async () => {
    const tenant = await bed.tenant();
    bed.runner({ hop: new TinyGraph([{ kind: 'local', name: 'a' }]) });
    const back = await redis.takeAway();
    const runId = await bed.start(tenant, 'hop');
    expect(await bed.run(runId)).toMatchObject({ status: 'queued', dispatchedAt: null });
    await expect(bed.queues.check()).rejects.toMatchObject({ code: 'queue_unavailable' });
    await back();
    const done = await until(
      'the run is completed',
      async () => {
        await reconcile(bed.engine).catch(() => undefined);
        return bed.run(runId);
      },
      ({ status }) => status === 'completed',
    );
    expect(done.status).toBe('completed');
  });
});

it('X4 a worker reconnects to the queue after half a second, not after 15 seconds as by default in BullMQ', () =>
  expect(WORKER_TIMING.runRetryDelay).toBe(500));

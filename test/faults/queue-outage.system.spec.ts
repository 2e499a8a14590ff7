import { connectJobQueues } from '#testing/queues.js';
import { queueColumns } from '#testing/columns.js';
import { until } from '#testing/until.js';
import { persist } from './persist.js';
import { startOwnBackends } from './servers.js';

/** BullMQ's own pause after a refused connection is 15 seconds: no worker would take a job for so long. */
const LIMIT_MS = 12_000;
/** Limit of the attempts to add a job while the queue restarts. */
const TIMEOUT_MS = 60_000;

describe.each(queueColumns())('X4 a restart of the queue on $name', ({ name }) => {
  let backends: Awaited<ReturnType<typeof startOwnBackends>>;
  beforeAll(async () => {
    backends = await startOwnBackends(name);
  });
  afterAll(() => backends.stop());

  it('is over for a worker soon after it is over for the queue', async () => {
    const { postgres, redis } = backends;
    const url = redis?.url ?? postgres.url;
    const queues = await connectJobQueues(url, { maxConnections: 3, onError: () => undefined });
    const done: (string | undefined)[] = [];
    const work = async ({ id }: { id?: string | undefined }) => void done.push(id);
    const worker = queues.work('converter', work, { concurrency: 1 });
    const add = (jobId: string) => queues.add({ queue: 'converter', name: 'convert', data: {}, jobId });
    try {
      await add('before');
      await until(
        'the first job is done',
        () => done,
        ({ length }) => length === 1,
      );
      await (redis ? redis.restart() : postgres.restart('killed'));
      await persist('a job after the restart', () => add('after'), { at: Date.now() + TIMEOUT_MS });
      const since = performance.now();
      await until(
        'the job added after the restart is done',
        () => done,
        (all) => all.includes('after'),
      );
      expect(performance.now() - since).toBeLessThan(LIMIT_MS);
    } finally {
      await worker.close();
      await queues.close();
    }
  });
});

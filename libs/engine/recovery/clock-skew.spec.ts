import { jest } from '@jest/globals';
import { GraphCheckpointRepository } from '#db/repositories/graph-checkpoints.js';
import type { TimePosition } from '#db/page.js';
import { queueColumns } from '#testing/columns.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { until } from '#testing/until.js';
import { PrismaSaver } from '../checkpointer/prisma-saver.js';
import { completeTask } from '../tasks/complete.js';
import { taskJobId } from '../queue/dispatch.js';
import { reconcile } from './reconcile.js';

const TEN_MINUTES_MS = 600_000;

describe('X4 a runner whose clock is behind that of the previous runner', () => {
  let bed: EngineBed;
  let tenantId: string;
  let runId: string;
  const done: string[] = [];
  const human = (name: string) => ({ kind: 'human' as const, name });
  const call = (name: string) => ({ kind: 'local' as const, name, work: () => (done.push(name), name) });

  async function answer(): Promise<void> {
    const isOpen = ({ status }: { status: string }) => status === 'pending';
    const tasks = await until(
      'an open question',
      () => bed.tasks(runId),
      (all) => all.some(isOpen),
    );
    await completeTask(
      bed.engine,
      tasks.find(isOpen)!.id,
      runId,
      { ok: true, output: { text: 'yes' } },
      'key_1',
    );
  }

  beforeAll(async () => {
    bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
    bed.runner({ ask: new TinyGraph([call('a'), human('q'), call('b'), human('r'), call('c')]) });
    tenantId = await bed.tenant();
    runId = await bed.start(tenantId, 'ask');
    await bed.until(runId, 'waiting');
    const realNow = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => realNow() - TEN_MINUTES_MS);
    await answer();
    await answer();
    jest.restoreAllMocks();
    await bed.until(runId, 'completed');
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await bed.close();
  });

  it('continues from the newest checkpoint and repeats no step', async () => {
    expect(await bed.words(runId)).toEqual(['start', 'a', 'q=yes', 'b', 'r=yes', 'c']);
    expect(done).toEqual(['a', 'b', 'c']);
  });

  /** From the end to the input: each step once. */
  const STEPS = [5, 4, 3, 2, 1, 0, -1];

  it('X5 writes a history that is listed in the order of its steps, page by page', async () => {
    const checkpoints = new GraphCheckpointRepository(bed.db);
    const steps: unknown[] = [];
    let after: TimePosition | undefined;
    for (;;) {
      const page = await checkpoints.page(tenantId, runId, { take: 2, ...(after && { after }) }, []);
      steps.push(...page.map(({ metadata }) => (metadata as { step: number }).step));
      after = page.at(-1);
      if (!after) break;
    }
    expect(steps).toEqual(STEPS);
  });

  it('writes checkpoints that are listed in the order of its steps, also those before a given one', async () => {
    const saver = new PrismaSaver(bed.db);
    const thread = { configurable: { thread_id: runId } };
    const tuples = [];
    for await (const tuple of saver.list(thread)) tuples.push(tuple);
    expect(tuples.map(({ metadata }) => metadata!.step)).toEqual(STEPS);
    const older: unknown[] = [];
    for await (const { metadata } of saver.list(thread, { before: tuples[2]!.config, limit: 3 }))
      older.push(metadata!.step);
    expect(older).toEqual(STEPS.slice(3, 6));
  });
});

describe('X4 a worker whose clock was ahead and that died during a task of the queue in PostgreSQL:', () => {
  let bed: EngineBed;
  beforeEach(async () => {
    bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
    bed.runner({ hop: new TinyGraph([{ kind: 'remote', name: 'b' }]) });
  });
  afterEach(() => bed.close());

  /** Sets the queue as such a worker leaves it: its lock and the last check for stalled jobs are in the future. */
  async function dieWith(jobId: string): Promise<void> {
    const ahead = Date.now() + TEN_MINUTES_MS;
    await bed.db.$executeRaw`
      UPDATE bullmq.job SET state = 'active', lock_token = 'dead', locked_until_ms = ${ahead} WHERE id = ${jobId}`;
    await bed.db.$executeRaw`
      INSERT INTO bullmq.meta (queue, field, value) VALUES ('converter', 'stalled-check', ${String(ahead)})
      ON CONFLICT (queue, field) DO UPDATE SET value = excluded.value`;
  }
  const waiting = async () => {
    const runId = await bed.start(await bed.tenant(), 'hop');
    await bed.until(runId, 'waiting');
    const [task] = await bed.tasks(runId);
    const jobId = taskJobId(task!);
    await until(
      `the job ${jobId} is waiting`,
      () => bed.queues.state('converter', jobId),
      (state) => state === 'waiting' || state === 'prioritized',
    );
    await dieWith(jobId);
    return { runId, taskId: task!.id };
  };
  const endLease = (id: string) =>
    bed.db.$executeRaw`UPDATE tasks SET lease_until = now() - interval '1 second' WHERE id = ${id}`;
  const reconcileLater = async () => {
    await bed.age();
    return (await reconcile(bed.engine)).requeued;
  };

  it.each(['before the task began', 'in the middle of the task'])(
    '%s: another worker processes it once the lease has expired',
    async (when) => {
      const { runId, taskId } = await waiting();
      if (when === 'in the middle of the task') {
        await bed.db.task.update({ where: { id: taskId }, data: { attempts: 1, unfinished: 1 } });
        await endLease(taskId);
      } else {
        expect(await reconcileLater()).toBe(0);
        await endLease(taskId);
      }
      expect(await reconcileLater()).toBe(1);
      bed.workers();
      // The parent of the dead job waits for it still; the reconciler sees that every task is done.
      await until(
        'the run is completed',
        async () => {
          await reconcileLater();
          return bed.run(runId);
        },
        ({ status }) => status === 'completed',
      );
    },
  );

  it('no other worker gets the task while its lease is valid', async () => {
    const { runId, taskId } = await waiting();
    await bed.db
      .$executeRaw`UPDATE tasks SET lease_until = now() + interval '20 seconds', unfinished = 1 WHERE id = ${taskId}`;
    expect(await reconcileLater()).toBe(0);
    expect((await bed.tasks(runId)).map(({ enqueues }) => enqueues)).toEqual([1]);
  });

  it('the lease of a worker ends by the clock of the database', async () => {
    let release: () => void = () => undefined;
    const working = new Promise<void>((resolve) => (release = resolve));
    const runId = await bed.start(await bed.tenant(), 'hop');
    bed.workers(async (item) => {
      await working;
      return `done ${item}`;
    });
    const left = await until(
      'the lease of the task',
      async () => {
        const [row] = await bed.db.$queryRaw<{ seconds: number | null }[]>`
          SELECT extract(epoch FROM lease_until - now())::float AS seconds FROM tasks WHERE run_id = ${runId}`;
        return row?.seconds;
      },
      (seconds) => typeof seconds === 'number',
    );
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(60);
    release();
    await bed.until(runId, 'completed');
  });
});

describe.each(queueColumns())('X4 a worker whose clock is ahead, on $name:', (column) => {
  afterEach(() => void jest.restoreAllMocks());

  it('after its attempt fails, the next one begins soon by the clocks of the other workers', async () => {
    const bed = await EngineBed.open(column);
    try {
      const realNow = Date.now.bind(Date);
      jest.spyOn(Date, 'now').mockImplementation(() => realNow() + TEN_MINUTES_MS);
      bed.runner({ hop: new TinyGraph([{ kind: 'remote', name: 'b' }]) });
      bed.workers((item, attempt) => {
        if (attempt === 1) throw new Error('the first attempt fails');
        return `done ${item}`;
      });
      const runId = await bed.start(await bed.tenant(), 'hop');
      await bed.until(runId, 'waiting');
      const [task] = await bed.tasks(runId);
      await until(
        'the job of the failed attempt is delayed',
        () => bed.queues.state('converter', taskJobId(task!)),
        (state) => state === 'delayed',
      );
      jest.restoreAllMocks();
      await bed.age();
      await reconcile(bed.engine);
      await bed.until(runId, 'completed');
      expect((await bed.tasks(runId)).map(({ attempts }) => attempts)).toEqual([2]);
    } finally {
      await bed.close();
    }
  });
});

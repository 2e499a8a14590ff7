import { jest } from '@jest/globals';
import { GraphCheckpointRepository } from '#db/repositories/graph-checkpoints.js';
import type { TimePosition } from '#db/page.js';
import { queueColumns } from '#testing/columns.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { PrismaSaver } from './checkpointer/prisma-saver.js';
import { completeTask } from './complete.js';
import { taskJobId } from './jobs.js';
import { reconcile } from './reconcile.js';

const TEN_MINUTES_MS = 600_000;

describe('X4 a runner whose clock is behind that of the one before it', () => {
  let bed: EngineBed;
  let tenantId: string;
  let runId: string;
  const done: string[] = [];
  const human = (name: string) => ({ kind: 'human' as const, name });
  const call = (name: string) => ({ kind: 'local' as const, name, work: () => (done.push(name), name) });

  async function answer(): Promise<void> {
    const open = await bed.eventually(
      async () => (await bed.tasks(runId)).find(({ status }) => status === 'pending'),
      'a question',
    );
    await completeTask(bed.engine, open.id, runId, { ok: true, output: { text: 'yes' } }, 'key_1');
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

  it('goes on from the newest checkpoint and repeats no step', async () => {
    expect(await bed.words(runId)).toEqual(['start', 'a', 'q=yes', 'b', 'r=yes', 'c']);
    expect(done).toEqual(['a', 'b', 'c']);
  });

  /** From the end to the input: each step once. */
  const STEPS = [5, 4, 3, 2, 1, 0, -1];

  it('X5 leaves a history in the order of its steps, page by page', async () => {
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

  it('leaves a list of checkpoints in the order of its steps, also of those before one', async () => {
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

describe.each(queueColumns())('X4 a worker whose clock is ahead, on $name,', (column) => {
  afterEach(() => void jest.restoreAllMocks());

  it('fails an attempt and is gone: the next attempt begins soon by the clocks of the others', async () => {
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
      await bed.eventually(
        async () => (await bed.queues.state('converter', taskJobId(task!))) === 'delayed' || null,
        'the attempt to fail',
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

import { jest } from '@jest/globals';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { queueColumns } from '#testing/columns.js';
import { atDepth } from '#testing/depth.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { until } from '#testing/until.js';
import { GRACE_SECONDS } from '../runs/step-preemption.js';
import { reconcile } from '../recovery/reconcile.js';

/** Runs of the busy tenant. */
const RUNS = atDepth({ quick: 10, full: 50 });

describe.each(queueColumns())('fair dispatch on $name', (column) => {
  let bed: EngineBed;
  beforeAll(async () => {
    bed = await EngineBed.open(column);
  });
  afterAll(() => bed.close());

  it('limits a tenant with many queued runs to its cap, so that the run of another tenant completes first', async () => {
    let active = 0;
    let most = 0;
    let done = 0;
    let release = (): void => undefined;
    const quietIsDone = new Promise<void>((resolve) => (release = resolve));
    const graph = new TinyGraph([
      {
        kind: 'local',
        name: 'step',
        work: async ({ run }) => {
          done += 1;
          if (run.tenantId !== busy) return 'done';
          active += 1;
          most = Math.max(most, active);
          await quietIsDone;
          await new Promise((resolve) => setImmediate(resolve));
          active -= 1;
          return 'done';
        },
      },
    ]);
    const busy = await bed.tenant(3);
    const quiet = await bed.tenant(3);
    const runs = await Promise.all(Array.from({ length: RUNS }, () => bed.start(busy, 'short')));
    const handedOut = await bed.db.run.count({ where: { tenantId: busy, NOT: { dispatchedAt: null } } });
    expect(handedOut).toBe(3);
    const single = await bed.start(quiet, 'short');
    bed.runner({ short: graph }, 4);
    // The runs of the busy tenant end only after it.
    await bed.until(single, 'completed');
    release();
    for (const run of runs) await bed.until(run, 'completed');
    expect(most).toBe(3);
    expect(done).toBe(RUNS + 1);
  });
});

describe.each(queueColumns())('the express lane on $name', (column) => {
  let bed: EngineBed;
  beforeAll(async () => {
    bed = await EngineBed.open(column);
  });
  afterAll(() => bed.close());
  afterEach(() => void jest.restoreAllMocks());

  it('X7 lets a quiet run wait for at most one step per leg, although a busy tenant occupies every runner and the queue', async () => {
    const underWay: (() => void)[] = [];
    let isOpen = false;
    const step = (name: string) => ({
      kind: 'local' as const,
      name,
      work: async () => {
        if (!isOpen) await new Promise<void>((end) => underWay.push(end));
        return name;
      },
    });
    const long = new TinyGraph(['a', 'b', 'c'].map(step));
    let takenOver: number | null = null;
    // While the quiet run has the slot, the noisy run that yielded waits in the queue, and no runner claims it.
    const before = async () => {
      await bed.age();
      takenOver = (await reconcile(bed.engine)).takenOver;
      return 'before';
    };
    const short = new TinyGraph([
      { kind: 'local', name: 'before', work: before },
      { kind: 'remote', name: 'away' },
      { kind: 'local', name: 'after' },
    ]);
    const [noisy, quiet] = [await bed.tenant(10_000), await bed.tenant(10_000)];
    const noisyRuns = await Promise.all(
      Array.from({ length: atDepth({ quick: 15, full: 150 }) }, () => bed.start(noisy, 'long')),
    );
    bed.workers();
    bed.runner({ long, short }, 1);
    const now = performance.now.bind(performance);
    let later = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + later);
    /** Ends the step that occupies the only slot, as if it had been long and the quiet run had waited. */
    const endOneStep = async (): Promise<void> => {
      const end = (await until('a step of the noisy tenant', () => underWay.shift()))!;
      later += 2_000 * GRACE_SECONDS;
      await bed.db
        .$executeRaw`UPDATE runs SET dispatched_at = dispatched_at - interval '1 second' WHERE id = ${single}`;
      await bed.db
        .$executeRaw`UPDATE tasks SET completed_at = completed_at - interval '1 second' WHERE run_id = ${single}`;
      end();
    };
    await until(
      'one step is under way',
      () => underWay.length,
      (count) => count === 1,
    );
    const single = await bed.start(quiet, 'short');
    await endOneStep();
    await until(
      'a task of the remote node is completed',
      () => bed.tasks(single),
      (tasks) => tasks.some(({ status }) => status === 'completed'),
    );
    await endOneStep();
    await bed.until(single, 'completed');
    expect(takenOver).toBe(0);
    isOpen = true;
    for (const end of underWay.splice(0)) end();
    for (const run of noisyRuns) {
      await bed.until(run, 'completed');
      expect(await bed.words(run)).toEqual(['start', 'a', 'b', 'c']);
    }
  });
});

import { EngineBed } from '#testing/engine/engine-bed.js';
import { queueColumns } from '#testing/columns.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';

describe.each(queueColumns())('fair dispatch on $name', (column) => {
  let bed: EngineBed;
  beforeAll(async () => {
    bed = await EngineBed.open(column);
  });
  afterAll(() => bed.close());

  it('keeps a tenant with 50 queued runs within its cap and lets another pass after one step', async () => {
    const order: string[] = [];
    let active = 0;
    let most = 0;
    const graph = new TinyGraph([
      {
        kind: 'local',
        name: 'step',
        work: async ({ run }) => {
          active += run.tenantId === busy ? 1 : 0;
          most = Math.max(most, active);
          await new Promise((resolve) => setImmediate(resolve));
          order.push(run.tenantId);
          active -= run.tenantId === busy ? 1 : 0;
          return 'done';
        },
      },
    ]);
    const busy = await bed.tenant(3);
    const quiet = await bed.tenant(3);
    const runs = await Promise.all(Array.from({ length: 50 }, () => bed.start(busy, 'short')));
    const handedOut = await bed.db.run.count({ where: { tenantId: busy, NOT: { dispatchedAt: null } } });
    expect(handedOut).toBe(3);
    const single = await bed.start(quiet, 'short');
    bed.runner({ short: graph }, 4);
    await bed.until(single, 'completed');
    expect(order.indexOf(quiet)).toBeLessThanOrEqual(3);
    for (const run of runs) await bed.until(run, 'completed');
    expect(most).toBeLessThanOrEqual(3);
    expect(order).toHaveLength(51);
  });
});

describe.each(queueColumns())('the express lane on $name', (column) => {
  let bed: EngineBed;
  beforeAll(async () => {
    bed = await EngineBed.open(column);
  });
  afterAll(() => bed.close());

  it('X7 lets a quiet tenant pass though every runner is busy and hundreds of jobs of a noisy one wait', async () => {
    const SLOTS = 3;
    const begun: string[] = [];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const graph = new TinyGraph([
      { kind: 'local', name: 'first' },
      { kind: 'remote', name: 'away' },
      {
        kind: 'local',
        name: 'second',
        work: async ({ run }) => {
          begun.push(run.tenantId);
          await gate;
          return 'done';
        },
      },
    ]);
    const [noisy, quiet] = [await bed.tenant(10_000), await bed.tenant(10_000)];
    const noisyRuns = await Promise.all(Array.from({ length: 150 }, () => bed.start(noisy, 'gated')));
    bed.workers();
    bed.runner({ gated: graph }, SLOTS);
    // Every slot is held at the gate; the other runs wait in the queue, for their first step or for their second.
    await bed.eventually(async () => (begun.length === SLOTS ? true : null), 'the runner to be busy');
    const single = await bed.start(quiet, 'gated');
    open();
    await bed.until(single, 'completed');
    // Its two legs each waited for a slot, and beside its own jobs only the noisy tenant's one express run went first.
    expect(begun.indexOf(quiet)).toBeLessThanOrEqual(3 * SLOTS + 1);
    for (const run of noisyRuns) await bed.until(run, 'completed');
  });
});

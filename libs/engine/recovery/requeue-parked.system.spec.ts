import { queueColumns } from '#testing/columns.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { until } from '#testing/until.js';
import { reconcile } from './reconcile.js';

/** More than one batch of the reconciler. */
const PARKED = 230;

describe.each(queueColumns())('X4 jobs of parked runs on $name', (column) => {
  let bed: EngineBed;
  beforeAll(async () => {
    bed = await EngineBed.open(column);
    bed.runner({ ask: new TinyGraph([{ kind: 'human', name: 'q' }]) });
  });
  afterAll(() => bed.close());

  /** Jobs by queue and state: questions wait until their deadline, the next step of their runs for them. */
  async function jobs(): Promise<{ questions: number; parents: number }> {
    const counts = async (name: string, state: 'delayed' | 'waiting-children') => {
      const queue = bed.queues.all().find((one) => one.name === name)!;
      return (await queue.getJobCounts(state))[state] ?? 0;
    };
    return {
      questions: await counts('human-input', 'delayed'),
      parents: await counts('agent-runner', 'waiting-children'),
    };
  }

  it('are restored by one reconciliation after the queue lost them, none twice', async () => {
    const tenant = await bed.tenant(1_000);
    const ids = await Promise.all(Array.from({ length: PARKED }, () => bed.start(tenant, 'ask')));
    for (const id of ids) await bed.until(id, 'waiting');
    const all = { questions: PARKED, parents: PARKED };
    await until('every run is paused', jobs, ({ parents }) => parents === PARKED);
    await bed.loseJobs();
    expect(await jobs()).toEqual({ questions: 0, parents: 0 });
    await bed.age();
    expect((await reconcile(bed.engine)).requeued).toBe(PARKED);
    expect(await jobs()).toEqual(all);
    await bed.age();
    expect((await reconcile(bed.engine)).requeued).toBe(0);
    expect(await jobs()).toEqual(all);
  });
});

import { queueColumns } from '#testing/columns.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import type { Job, JobSpec } from '../queue/job-queues.js';
import { JobReleasedError } from '../queue/job-worker.js';
import { NotificationListener } from '../events/listener.js';
import { until } from '#testing/until.js';
import { completeTask } from '../tasks/complete.js';
import { advanceJob } from '../queue/dispatch.js';
import { reconcile } from '../recovery/reconcile.js';
import { acceptOffers } from './offers.js';

const graphs = {
  ask: new TinyGraph([
    { kind: 'local', name: 'a' },
    { kind: 'human', name: 'q' },
    { kind: 'local', name: 'z' },
  ]),
};
const WORDS = ['start', 'a', 'q=yes', 'z'];
/** Legs of a runner without a free place. */
const full = { accept: () => false };

describe.each(queueColumns())('Offers of runs, queue on $name', (column) => {
  let bed: EngineBed;
  let tenant: string;
  /** Jobs that were added, by ID. */
  let added: string[];
  beforeEach(async () => {
    bed = await EngineBed.open(column);
    tenant = await bed.tenant();
    added = [];
    const add = bed.queues.add.bind(bed.queues);
    const counting = (job: JobSpec) => {
      added.push(job.jobId);
      return add(job);
    };
    Object.assign(bed.queues, { add: counting });
  });
  afterEach(() => bed.close());

  const runners = async (count: number) =>
    until(`${count} runners to accept offers`, async () => {
      const [row] = await bed.db.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM pg_locks JOIN pg_database d ON d.oid = database
        WHERE locktype = 'advisory' AND objsubid = 2 AND d.datname = current_database()`;
      return row!.count === count;
    });

  async function answer(runId: string): Promise<void> {
    await bed.until(runId, 'waiting');
    const [task] = await bed.tasks(runId);
    await completeTask(bed.engine, task!.id, runId, { ok: true, output: { text: 'yes' } }, 'spec');
  }

  it('let a run begin and continue without a job', async () => {
    bed.runner(graphs);
    await runners(1);
    const run = await bed.start(tenant, 'ask');
    await answer(run);
    await bed.until(run, 'completed');
    expect(await bed.words(run)).toEqual(WORDS);
    expect(added).toEqual([]);
  });

  it('become jobs if the runner has no free place', async () => {
    await acceptOffers(bed.engine, bed.listener, full, 8);
    const run = await bed.start(tenant, 'ask');
    await until('the job', async () => (await bed.queues.state('agent-runner', `${run}.0`)) !== 'unknown');
    bed.runner(graphs);
    await answer(run);
    await bed.until(run, 'completed');
    expect(await bed.words(run)).toEqual(WORDS);
  });

  it('are refused after a job of the queue found no place, until the next one begins', async () => {
    const runs = bed.processor(graphs);
    const signal = new AbortController().signal;
    const limits: number[] = [];
    const begin = (epoch: number) => runs.process({ data: advanceJob('run_q', epoch).data } as Job, signal);
    runs.onStart(2, (jobs) => limits.push(jobs));
    const busy = begin(0);
    expect(runs.accept(advanceJob('run_1', 0), 2)).toBe(true);
    await expect(begin(1)).rejects.toBeInstanceOf(JobReleasedError);
    await busy;
    expect(runs.accept(advanceJob('run_2', 0), 2)).toBe(false);
    await until('the offered leg to end', () => Promise.resolve(limits.at(-1) === 2));
    await begin(2);
    expect(runs.accept(advanceJob('run_3', 0), 2)).toBe(true);
    await runs.onStop();
    expect(limits).toEqual([2, 1, 2, 1, 2]);
  });

  it('leave half of the places to the queue', async () => {
    const accepted: boolean[] = [];
    const runs = bed.processor(graphs);
    for (let at = 0; at < 5; at++) accepted.push(runs.accept(advanceJob(`run_${at}`, 0), 4));
    expect(accepted).toEqual([true, true, false, false, false]);
    await runs.onStop();
    expect(runs.accept(advanceJob('run_6', 0), 4)).toBe(false);
  });

  it('take no more places than a runner has, and leave them to the queue when they end', async () => {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const work = async ({ run }: { run: { id: string } }) => {
      begun.push(run.id);
      await new Promise<void>((end) => ends.set(run.id, end));
      return 'a';
    };
    const slow = { ask: new TinyGraph([{ kind: 'local', name: 'a', work }]) };
    bed.runner(slow, 2);
    await runners(1);
    const offered = await bed.start(tenant, 'ask');
    await until('the offered run to begin', () => Promise.resolve(begun.length === 1));
    const queued = [await bed.start(tenant, 'ask'), await bed.start(tenant, 'ask')];
    await until('a job of the queue to begin', () => Promise.resolve(begun.length === 2));
    const waits = queued.find((run) => !begun.includes(run))!;
    await until('the other job to wait', async () =>
      ['waiting', 'prioritized'].includes(await bed.queues.state('agent-runner', `${waits}.0`)),
    );
    ends.get(offered)!();
    await until('the waiting job to begin', () => Promise.resolve(begun.length === 3));
    expect(begun).toContain(waits);
    for (const run of queued) ends.get(run)!();
    for (const run of [offered, ...queued]) await bed.until(run, 'completed');
  });

  it('are jobs at once if no runner accepts offers any more', async () => {
    const stop = await acceptOffers(bed.engine, bed.listener, full, 8);
    await stop();
    const run = await bed.start(tenant, 'ask');
    expect(await bed.queues.state('agent-runner', `${run}.0`)).not.toBe('unknown');
  });

  it('are taken over by the reconciler if the runner dies before it claims the run', async () => {
    const dying = new NotificationListener(bed.database.url);
    await acceptOffers(bed.engine, dying, { accept: () => true }, 8);
    const run = await bed.start(tenant, 'ask');
    await dying.stop();
    await runners(0);
    expect((await bed.run(run)).status).toBe('queued');
    await bed.age();
    await reconcile(bed.engine);
    bed.runner(graphs);
    await answer(run);
    await bed.until(run, 'completed');
    expect(await bed.words(run)).toEqual(WORDS);
  });
});

import { EngineBed } from '#testing/engine/engine-bed.js';
import { dyingDatabase } from '#testing/engine/dying-database.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { advance } from '../runs/advance.js';
import { completeTask } from './complete.js';
import { reconcile } from '../recovery/reconcile.js';

/**
 * X4 at every commit point: a runner is made to die before or after each statement it sends. The statements are counted in
 * an undisturbed run, so a new one is covered by itself.
 */
const effects = new Map<string, number>();
const local = (name: string) => ({
  kind: 'local' as const,
  name,
  work: ({ run }: { run: { id: string } }) => {
    effects.set(`${run.id}/${name}`, (effects.get(`${run.id}/${name}`) ?? 0) + 1);
    return name;
  },
});
const reading = (name: string) => ({ ...local(name), reads: true as const });
const graphs = new Map([
  [
    'all',
    new TinyGraph([
      reading('r'),
      reading('s'),
      local('a'),
      { kind: 'remote', name: 'b' },
      local('c'),
      reading('t'),
      { kind: 'fan-out', name: 'f', items: ['1', '2', '3'] },
      { kind: 'human', name: 'q' },
      local('z'),
    ]),
  ],
]);
const FANNED_OUT = ['f.1=done 1', 'f.2=done 2', 'f.3=done 3'];
const WORDS = ['start', 'r', 's', 'a', 'b=done b', 'c', 't', ...FANNED_OUT, 'q=yes', 'z'];
const LOCAL_NODES = ['r', 's', 'a', 'c', 't', 'z'];

let bed: EngineBed;
let delivering: EngineBed['queues'];
let tenant: string;
beforeAll(async () => {
  bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
  // The queue only delivers jobs. Here the test delivers them, so that only the statements are tested.
  const deaf = new Proxy(bed.queues, { get: () => () => Promise.resolve(undefined) });
  delivering = bed.queues;
  Object.assign(bed.engine, { queues: deaf });
  tenant = await bed.tenant(1_000);
});
afterAll(async () => {
  Object.assign(bed.engine, { queues: delivering });
  await bed.close();
});

/** Answers every open task, as workers and people would. */
async function answerAll(runId: string): Promise<void> {
  for (const task of await bed.tasks(runId)) {
    const { manuscript } = task.input as { manuscript?: string };
    const output = manuscript === undefined ? { text: 'yes' } : { structure_json_path: `done ${manuscript}` };
    await completeTask(bed.engine, task.id, runId, { ok: true, output }, 'test');
  }
}

/** Executes a run to its end; its first runner dies at the given statement. */
async function drive(runId: string, at: number, when: 'before' | 'after'): Promise<number> {
  const dying = dyingDatabase(bed.db, at, when);
  for (let leg = 0; leg < 30; leg++) {
    const run = await bed.run(runId);
    if (run.status === 'completed') return dying.statements();
    if (run.status === 'running') {
      await bed.expireLease(runId);
      await reconcile(bed.engine);
    }
    if (run.status === 'waiting') await answerAll(runId);
    const engine = dying.dead() ? bed.engine : { ...bed.engine, db: dying.db };
    const { epoch } = await bed.run(runId);
    const never = new AbortController().signal;
    await advance(engine, graphs, { v: 1, run_id: runId, epoch }, never).catch(() => 'died');
  }
  throw new Error('the run did not end');
}

async function check(runId: string): Promise<void> {
  expect(await bed.words(runId)).toEqual(WORDS);
  const events = await bed.events(runId);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const nodes = events.filter(({ type }) => type === 'node_complete').map(({ data }) => data['node']);
  expect(nodes).toEqual(LOCAL_NODES);
  expect(events.filter(({ type }) => type === 'decision_required')).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'done')).toHaveLength(1);
  expect(await bed.tasks(runId)).toHaveLength(5);
  // A step may be done once more when its runner died, never oftener.
  for (const name of LOCAL_NODES) expect(effects.get(`${runId}/${name}`)).toBeLessThanOrEqual(2);
}

it('X4 a runner that dies before or after any statement loses nothing and repeats no effect', async () => {
  const undisturbed = await bed.start(tenant, 'all');
  const statements = await drive(undisturbed, 0, 'before');
  await check(undisturbed);
  expect(statements).toBeGreaterThan(15);
  for (let at = 1; at <= statements; at++) {
    // Before the next statement is the same moment for the database as after this one.
    for (const when of at === 1 ? (['before', 'after'] as const) : (['after'] as const)) {
      const runId = await bed.start(tenant, 'all');
      await drive(runId, at, when);
      await check(runId).catch((error: unknown) => {
        throw new Error(`died ${when} statement ${at} of ${statements}`, { cause: error });
      });
    }
  }
});

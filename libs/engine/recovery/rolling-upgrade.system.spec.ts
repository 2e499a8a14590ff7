import '#testing/tiny-kind/register.js';
import { newId } from '#contracts/ids.js';
import type { TaskName } from '#catalogue/tasks.js';
import type { HandlerMap } from '../queue/task-handler.js';
import { createObjectStore } from '#storage/create-object-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { queueColumns } from '#testing/columns.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph, type TinyNode } from '#testing/engine/tiny-graph.js';
import { createTestStorage, type TestStorage } from '#testing/storage.js';
import { TinyDefinition } from '#testing/tiny-kind/definition.js';
import { until } from '#testing/until.js';
import { completeTask } from '../tasks/complete.js';
import type { GraphDefinition } from '../kind.js';
import { startRun } from '../runs/start.js';
import { taskProcessor } from '../tasks/task-processor.js';

const local = (name: string): TinyNode => ({ kind: 'local', name });
const ask = (name: string): TinyNode => ({ kind: 'human', name });
const PATIENT = 1_800;

/** A graph under the number of a release. */
class Release extends TinyGraph {
  constructor(
    override readonly version: string,
    nodes: TinyNode[],
  ) {
    super(nodes);
  }
}

describe.each(queueColumns())('X4 runners of two releases side by side on $name', (column) => {
  let bed: EngineBed;
  let storage: TestStorage;
  let store: ObjectStore;
  let tenant: string;
  beforeAll(async () => {
    storage = await createTestStorage({ name: 'directory' });
    store = createObjectStore(storage.config);
    bed = await EngineBed.open(column);
    tenant = await bed.tenant();
  });
  afterAll(async () => {
    await bed.close();
    await storage.drop();
  });

  const start = async (kind: string, graphVersion: string) => {
    const sessionId = newId('ses');
    await bed.db.session.create({ data: { id: sessionId, tenantId: tenant } });
    const run = { tenantId: tenant, sessionId, kind, mode: null, inputs: { word: 'a' }, graphVersion };
    return (await startRun(bed.engine, run)).id;
  };
  const givenBack = (runId: string) =>
    until(
      `the run ${runId} is released`,
      () => bed.log,
      (log) =>
        log.some(
          ({ message, fields }) =>
            message.includes('for a runner that supports it') &&
            (fields as { run_id?: string }).run_id === runId,
        ),
    );
  /** First, only the old release runs and gets the run; then the new one starts next to it. */
  async function served(
    old: Record<string, GraphDefinition>,
    now: Record<string, GraphDefinition>,
    runId: string,
  ) {
    const before = bed.runner(old, 2, PATIENT);
    await givenBack(runId);
    const after = bed.runner(now, 2, PATIENT);
    const run = await bed.until(runId, 'completed', 'failed', 'waiting');
    await Promise.all([before.close(), after.close()]);
    return run;
  }

  it('a run of a new kind is released by the old release and processed by the new one', async () => {
    const runId = await start('fresh', '1');
    const old = { known: new Release('1', [local('a')]) };
    expect(await served(old, { ...old, fresh: new Release('1', [local('a')]) }, runId)).toMatchObject({
      status: 'completed',
    });
  });

  it('a run of a newer graph version is not started by the old release', async () => {
    const runId = await start('known', '2');
    const old = { known: new Release('1', [local('a')]) };
    await served(old, { known: new Release('2', [local('b')]) }, runId);
    expect(await bed.words(runId)).toEqual(['start', 'b']);
  });

  it('a run that the new release parked at a new node continues with the new release only', async () => {
    const old = { known: new Release('1', [local('a'), ask('q'), local('z')]) };
    const now = { known: new Release('1', [local('a'), ask('new'), local('z')]) };
    const first = bed.runner(now, 2, PATIENT);
    const runId = await start('known', '1');
    await bed.until(runId, 'waiting');
    await first.close();
    const [task] = await bed.tasks(runId);
    await completeTask(bed.engine, task!.id, runId, { ok: true, output: { text: 'yes' } }, 'test');
    await bed.db
      .$executeRaw`UPDATE tasks SET completed_at = completed_at - interval '1 hour' WHERE run_id = ${runId}`;
    expect(await served(old, now, runId)).toMatchObject({ status: 'completed' });
    expect(await bed.words(runId)).toEqual(['start', 'a', 'new=yes', 'z']);
  });

  it('a run that no runner supports fails after its time limit, with the cause', async () => {
    const runId = await start('fresh', '1');
    const runner = bed.runner({}, 2, 1);
    const run = await bed.until(runId, 'failed');
    await runner.close();
    expect(run.error).toMatchObject({ code: 'unknown_kind' });
  });

  it('a task of a new release is released by the old worker and completed by the new one', async () => {
    const runner = bed.runner({ tiny: new TinyDefinition(store) }, 2, PATIENT);
    const work = (handlers: HandlerMap) =>
      bed.queues.work('converter', taskProcessor(bed.engine, 'converter', handlers, PATIENT), {
        concurrency: 2,
      });
    const handler = (word: string) => ({ handle: () => Promise.resolve({ word }) }) as never;
    const old: HandlerMap = new Map([['parse_to_json', handler('never')]]);
    const before = work(old);
    const runId = await start('tiny', '1');
    await until(
      'the task is released',
      () => bed.log,
      (log) => log.some(({ message }) => message.startsWith('no handler')),
    );
    const now: HandlerMap = new Map([['tiny_shout' as TaskName, handler('DONE')]]);
    const after = work(now);
    const done = await until(
      'the task is done',
      async () => (await bed.tasks(runId)).find(({ name }) => name === 'tiny_shout'),
      (task) => task !== undefined && task.status !== 'pending',
    );
    expect(done).toMatchObject({ status: 'completed', output: { word: 'DONE' } });
    await Promise.all([before.close(), after.close(), runner.close()]);
  });
});

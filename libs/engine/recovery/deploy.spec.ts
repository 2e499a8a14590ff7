import type { GraphDefinition } from '../kind.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph, type TinyNode } from '#testing/engine/tiny-graph.js';
import { until } from '#testing/until.js';
import { completeTask } from '../tasks/complete.js';
import { reconcile } from './reconcile.js';

const local = (name: string): TinyNode => ({ kind: 'local', name });
const ask = (name: string): TinyNode => ({ kind: 'human', name });
/** A node that is at work when its release is replaced. */
const held = (): TinyNode => ({
  kind: 'local',
  name: 'held',
  work: ({ signal }) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    ),
});

describe('X4 a release that changes a graph', () => {
  let bed: EngineBed;
  let tenant: string;
  beforeAll(async () => {
    bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
    tenant = await bed.tenant();
  });
  afterAll(() => bed.close());

  /** Processes runs of the kind with this graph while `work` runs. */
  async function withRelease<T>(graph: GraphDefinition, work: () => Promise<T>): Promise<T> {
    const runner = bed.runner({ changing: graph });
    return work().finally(() => runner.close());
  }
  /** A run that the old release left, at its question or in the middle of a node. */
  const parkedUnder = (nodes: TinyNode[], status: 'waiting' | 'running') =>
    withRelease(new TinyGraph(nodes), async () => {
      const runId = await bed.start(tenant, 'changing');
      await bed.until(runId, status);
      if (status === 'running')
        // The checkpoints of the input, of its beginning, and of the node before the waiting one.
        await until(
          'more than two graph checkpoints',
          () => bed.db.graphCheckpoint.count({ where: { threadId: runId } }),
          (count) => count > 2,
        );
      return runId;
    });
  const answer = async (runId: string) => {
    for (const task of await bed.tasks(runId)) {
      const isPerson = task.queue === 'human-input';
      const output = isPerson ? { text: 'yes' } : { structure_json_path: 'done' };
      await completeTask(bed.engine, task.id, runId, { ok: true, output }, 'test');
    }
    await bed.age();
    await reconcile(bed.engine);
  };

  it('continues a run that an older release parked, through the added nodes', async () => {
    const runId = await parkedUnder([local('a'), ask('q'), local('z')], 'waiting');
    const next = new TinyGraph([local('first'), local('a'), ask('q'), local('added'), ask('r'), local('z')]);
    await withRelease(next, async () => {
      await answer(runId);
      await until(
        'the added question',
        () => bed.tasks(runId),
        ({ length }) => length === 2,
      );
      await bed.until(runId, 'waiting');
      await answer(runId);
      await bed.until(runId, 'completed');
    });
    expect(await bed.words(runId)).toEqual(['start', 'a', 'q=yes', 'added', 'r=yes', 'z']);
  });

  it.each<[string, TinyNode[], 'waiting' | 'running', string]>([
    ['waits for a person', [local('a'), ask('gone')], 'waiting', 'gone'],
    [
      'waits for parallel tasks',
      [local('a'), { kind: 'fan-out', name: 'f', items: ['1', '2'] }],
      'waiting',
      'f',
    ],
    ['was in the middle of a node', [local('a'), held()], 'running', 'held'],
  ])(
    'fails a run that %s if its node was removed, and names the node',
    async (_what, nodes, status, node) => {
      const runId = await parkedUnder(nodes, status);
      await withRelease(new TinyGraph([local('a'), local('z')]), async () => {
        await answer(runId);
        await bed.until(runId, 'failed');
      });
      const { error } = await bed.run(runId);
      expect(error).toMatchObject({ code: 'graph_node_missing', node });
      expect((error as { message: string }).message).toContain(`"${node}"`);
      const events = await bed.events(runId);
      expect(events.at(-1)).toMatchObject({
        type: 'done',
        data: { error: { code: 'graph_node_missing', node } },
      });
    },
  );
});

import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { PrismaSaver } from './prisma-saver.js';

const local = (name: string) => ({ kind: 'local' as const, name });

describe('X4 the rows of a run in the checkpoint tables', () => {
  let bed: EngineBed;

  beforeAll(async () => {
    bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
    bed.runner({
      steps: new TinyGraph(['a', 'b', 'c', 'd', 'e'].map(local)),
      fan: new TinyGraph([local('a'), { kind: 'fan-out', name: 'f', items: ['1', '2'] }]),
    });
  });
  afterAll(() => bed.close());

  /** Writes of nodes; the writes of the input precede all steps. */
  const writesOf = async (threadId: string) => {
    const input = await bed.db.graphCheckpoint.findFirstOrThrow({
      where: { threadId },
      orderBy: { id: 'asc' },
    });
    return bed.db.graphWrite.findMany({ where: { threadId, checkpointId: { not: input.id } } });
  };

  it('are one checkpoint and one blob of changed values per step, without the writes of completed steps', async () => {
    const id = await bed.start(await bed.tenant(), 'steps');
    await bed.until(id, 'completed');
    const where = { threadId: id };
    // The input, the step that reads it, and five nodes.
    expect(await bed.db.graphCheckpoint.count({ where })).toBe(7);
    const blobs = await bed.db.graphBlob.groupBy({ by: ['channel'], where, _count: true });
    expect(blobs.find(({ channel }) => channel === 'words')?._count).toBe(6);
    expect(blobs.filter(({ channel }) => channel.startsWith('branch:'))).toEqual([]);
    expect(await writesOf(id)).toEqual([]);
  });

  it('give the state at every checkpoint', async () => {
    const id = await bed.start(await bed.tenant(), 'steps');
    await bed.until(id, 'completed');
    const words: unknown[] = [];
    for await (const tuple of new PrismaSaver(bed.db).list({ configurable: { thread_id: id } }))
      words.push(tuple.checkpoint.channel_values['words']);
    const all = ['start', 'a', 'b', 'c', 'd', 'e'];
    expect(words.slice(0, 6)).toEqual(all.map((_, index) => all.slice(0, all.length - index)));
  });

  it('include the interrupts of waiting nodes until their step is complete', async () => {
    const id = await bed.start(await bed.tenant(), 'fan');
    await bed.until(id, 'waiting');
    const writes = await writesOf(id);
    expect(writes.map(({ channel }) => channel)).toEqual(['__interrupt__', '__interrupt__']);
  });
});

import { Prisma } from '#db/client.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { LoopGraph } from '#testing/engine/loop-graph.js';
import { TinyGraph, type TinyNode } from '#testing/engine/tiny-graph.js';
import { PrismaSaver } from '../checkpointer/prisma-saver.js';
import { completeTask } from '../tasks/complete.js';
import { KEEP_NEWEST, pruneActive, sweep } from './reconciler.js';

const steps = (count: number): TinyNode[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'local' as const,
    name: `s${index}`,
  }));

describe('X5 checkpoints that a run keeps', () => {
  let bed: EngineBed;
  let tenant: string;

  beforeAll(async () => {
    bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
    tenant = await bed.tenant();
    bed.runner({
      few: new TinyGraph(steps(3)),
      many: new TinyGraph(steps(40)),
      short: new LoopGraph(30),
      long: new LoopGraph(300),
    });
  });
  afterAll(() => bed.close());

  const newest = async (id: string) =>
    (await new PrismaSaver(bed.db).getTuple({ configurable: { thread_id: id } }))!;
  /** Bytes and rows of a run in the tables of its graph. */
  async function stored(runId: string) {
    const tables = ['graph_checkpoints', 'graph_blobs', 'graph_writes'];
    const found = await Promise.all(
      tables.map(
        (table) =>
          bed.db.$queryRaw<{ rows: number; bytes: number }[]>`
          SELECT count(*)::int AS rows, coalesce(sum(pg_column_size(t)), 0)::int AS bytes
          FROM ${Prisma.raw(table)} t WHERE thread_id = ${runId}`,
      ),
    );
    return {
      checkpoints: found[0]![0]!.rows,
      bytes: found.flat().reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }
  /** Adds a named checkpoint of the step after the given graph checkpoint. */
  async function name(runId: string, afterCheckpointId: string) {
    const { sessionId } = await bed.run(runId);
    const id = `${runId}.md`;
    const keys = { manuscriptKey: 'm', objectKey: 'o', effectKey: id };
    await bed.db.namedCheckpoint.create({
      data: {
        id,
        tenantId: tenant,
        sessionId,
        runId,
        label: 'l',
        validated: true,
        afterCheckpointId,
        ...keys,
      },
    });
  }
  const idsOf = async (threadId: string) =>
    (await bed.db.graphCheckpoint.findMany({ where: { threadId }, orderBy: { id: 'desc' } })).map(
      ({ id }) => id,
    );

  it('X5 a finished run keeps only its last checkpoint, for any number of steps', async () => {
    const rows = async (kind: string) => {
      const id = await bed.start(tenant, kind);
      await bed.until(id, 'completed');
      const before = await newest(id);
      expect(await sweep(bed.db, 3_600)).toBe(0);
      expect(await sweep(bed.db, 0)).toBe(1);
      expect(await sweep(bed.db, 0)).toBe(0);
      const after = await newest(id);
      expect(after).toEqual({ ...before, pendingWrites: after.pendingWrites });
      return Promise.all([
        bed.db.graphCheckpoint.count({ where: { threadId: id } }),
        bed.db.graphWrite.count({ where: { threadId: id } }),
        bed.db.graphBlob.count({ where: { threadId: id, channel: 'words' } }),
      ]);
    };
    const few = await rows('few');
    expect(await rows('many')).toEqual(few);
    expect(few).toEqual([1, 0, 1]);
  });

  it('X5 a finished run keeps the graph checkpoints of its named checkpoints, with all their values', async () => {
    const id = await bed.start(tenant, 'many');
    await bed.until(id, 'completed');
    const all = await idsOf(id);
    await name(id, all[20]!);
    const kept = { configurable: { thread_id: id, checkpoint_id: all[19]! } };
    const before = await new PrismaSaver(bed.db).getTuple(kept);
    expect(await sweep(bed.db, 0)).toBe(1);
    expect(await idsOf(id)).toEqual([all[0], all[19]]);
    expect(await new PrismaSaver(bed.db).getTuple(kept)).toEqual(before);
  });

  it('X5 an active run of 300 steps is pruned to the size of one of 30 steps, and continues', async () => {
    const runs = await Promise.all(['short', 'long'].map((kind) => bed.start(tenant, kind)));
    for (const id of runs) await bed.until(id, 'waiting');
    const [short, long] = runs as [string, string];
    const named = (await idsOf(long))[200]!;
    await name(long, named);
    const before = await Promise.all(runs.map(newest));
    expect((await stored(long)).bytes).toBeGreaterThan(5 * (await stored(short)).bytes);
    expect(await pruneActive(bed.db, 3_600)).toBe(0);
    expect(await pruneActive(bed.db, 0)).toBe(2);
    expect(await pruneActive(bed.db, 0)).toBe(0);
    expect(await Promise.all(runs.map(newest))).toEqual(before);
    const [least, most] = [await stored(short), await stored(long)];
    expect([least.checkpoints, most.checkpoints]).toEqual([KEEP_NEWEST, KEEP_NEWEST + 1]);
    expect(most.bytes / least.bytes).toBeLessThan(1.2);
    for (const id of runs) {
      const [task] = await bed.tasks(id);
      await completeTask(bed.engine, task!.id, id, { ok: true, output: { text: 'yes' } }, 'person');
      await bed.until(id, 'completed');
    }
    expect((await bed.run(long)).summary).toMatchObject({ details: { count: 300 } });
  });
});

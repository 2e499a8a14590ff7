import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { PrismaSaver } from './checkpointer/prisma-saver.js';
import { sweep } from './sweep.js';

const steps = (count: number) =>
  new TinyGraph(Array.from({ length: count }, (_, index) => ({ kind: 'local' as const, name: `s${index}` })));

it('a finished run keeps its last checkpoint only, whatever its number of steps', async () => {
  const bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
  try {
    bed.runner({ few: steps(3), many: steps(40) });
    const tenant = await bed.tenant();
    const rows = async (kind: string) => {
      const id = await bed.start(tenant, kind);
      await bed.until(id, 'completed');
      const before = (await new PrismaSaver(bed.db).getTuple({ configurable: { thread_id: id } }))!;
      expect(await sweep(bed.db, 3_600)).toBe(0);
      expect(await sweep(bed.db, 0)).toBe(1);
      expect(await sweep(bed.db, 0)).toBe(0);
      const after = (await new PrismaSaver(bed.db).getTuple({ configurable: { thread_id: id } }))!;
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
  } finally {
    await bed.close();
  }
});

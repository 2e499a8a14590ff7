import { randomBytes } from 'node:crypto';
import { queueColumns } from '#testing/columns.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { until } from '#testing/until.js';
import { MAX_CRASHES } from '../engine.js';
import { reconcile } from '../recovery/reconcile.js';
import { cancelRun } from './cancel.js';

const COUNTS = [1, 200, 2_000];
const itemsOf = (count: number) => Array.from({ length: count }, (_, index) => `item ${index}`);

describe.each(queueColumns())('a pause, on $name', (column) => {
  let bed: EngineBed;
  let tenant: string;

  beforeAll(async () => {
    bed = await EngineBed.open(column);
    tenant = await bed.tenant();
    const fanOuts = COUNTS.map((count): [string, TinyGraph] => [
      `fan-out ${count}`,
      new TinyGraph([{ kind: 'fan-out', name: 'f', items: itemsOf(count) }]),
    ]);
    const tooLong = new TinyGraph([{ kind: 'local', name: 'too long', work: () => insertTooLong(bed) }]);
    bed.runner({ ...Object.fromEntries(fanOuts), 'too long': tooLong });
  });
  afterAll(() => bed.close());

  it.each(COUNTS)('X4 can wait for %i tasks at once', async (count) => {
    const id = await bed.start(tenant, `fan-out ${count}`);
    expect(await bed.until(id, 'waiting', 'failed')).toMatchObject({ status: 'waiting' });
    expect(await bed.tasks(id)).toHaveLength(count);
    expect(await cancelRun(bed.engine, id)).toBe(true);
  });

  it('names a known failure of the database in the error of the run, without its statement', async () => {
    const id = await bed.start(tenant, 'too long');
    const run = await until(
      'the run has failed',
      async () => {
        await bed.age();
        await reconcile(bed.engine);
        return bed.run(id);
      },
      ({ status }) => status === 'failed',
    );
    const error = run.error as { code: string; message: string; phrase: { code: string } };
    expect(error.code).toBe('step_failed');
    expect(error.message).toContain(`${MAX_CRASHES} times`);
    expect(error.message).toContain('exceeds its size limits');
    expect(JSON.stringify(error)).not.toMatch(/INSERT|run_events|index row/);
  });
});

/** Writes a row that is too large for its index. */
async function insertTooLong(bed: EngineBed): Promise<string> {
  const effectKey = randomBytes(10_000).toString('hex');
  await bed.db.$executeRaw`
    INSERT INTO run_events (run_id, seq, type, data, effect_key)
    SELECT id, 1000000, 'node_complete', '{}'::jsonb, ${effectKey} FROM runs LIMIT 1`;
  return '';
}

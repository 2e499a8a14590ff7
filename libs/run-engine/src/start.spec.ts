import { newId } from '#contracts/ids.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { cancelRun } from './cancel.js';
import { admit, giveUp, settle } from './idempotency.js';
import { startRun, type OnConflict } from './start.js';

let bed: EngineBed;
let tenantId: string;
let sessionId: string;
const graph = new TinyGraph([{ kind: 'human', name: 'q' }]);

beforeAll(async () => {
  bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
  tenantId = await bed.tenant();
  bed.runner({ ask: graph, quick: new TinyGraph([{ kind: 'local', name: 'a' }]) });
});
beforeEach(async () => {
  sessionId = newId('ses');
  await bed.db.session.create({ data: { id: sessionId, tenantId } });
});
afterAll(() => bed.close());

const start = (kind: string, onConflict?: OnConflict) =>
  startRun(bed.engine, {
    tenantId,
    sessionId,
    kind,
    mode: null,
    inputs: {},
    graphVersion: 'tiny-1',
    ...(onConflict ? { onConflict } : {}),
  });

describe('a second run of a session', () => {
  it('is refused, however many come at once', async () => {
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => start('ask')));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(start('ask')).rejects.toMatchObject({ code: 'run_active' });
  });

  it('waits for the active one when it is enqueued, each in its turn', async () => {
    const first = await start('ask');
    await bed.until(first, 'waiting');
    const second = await start('quick', 'enqueue');
    const third = await start('quick', 'enqueue');
    await expect(start('quick')).rejects.toMatchObject({ code: 'run_active' });
    expect((await bed.run(second)).dispatchedAt).toBeNull();
    await cancelRun(bed.engine, first);
    await bed.until(third, 'completed');
    const ended = await bed.run(second);
    expect(ended.status).toBe('completed');
    expect(ended.finishedAt!.getTime()).toBeLessThanOrEqual((await bed.run(third)).finishedAt!.getTime());
  });

  it('starts at once when it is enqueued behind nothing', async () => {
    await bed.until(await start('quick', 'enqueue'), 'completed');
  });

  it('cancels the active one when it interrupts', async () => {
    const first = await start('ask');
    await bed.until(first, 'waiting');
    const second = await start('quick', 'interrupt');
    await bed.until(second, 'completed');
    expect((await bed.run(first)).status).toBe('cancelled');
  });
});

describe('an Idempotency-Key', () => {
  const request = (key: string, hash = 'h') => ({ tenantId, key, hash });

  it('admits one of fifty equal requests and gives the others its answer', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => admit(bed.db, request('k1'))));
    const admitted = all.filter(({ kind }) => kind === 'do');
    expect(admitted).toHaveLength(1);
    expect(all.filter(({ kind }) => kind === 'under_way')).toHaveLength(49);
    await settle(bed.db, request('k1'), (admitted[0] as { attempt: string }).attempt, 202, { id: 'run_1' });
    expect(await admit(bed.db, request('k1'))).toEqual({
      kind: 'repeat',
      status: 202,
      body: { id: 'run_1' },
    });
    expect(await admit(bed.db, request('k1', 'other'))).toEqual({ kind: 'other_request' });
  });

  it('is free again when the request failed or its process died', async () => {
    const first = await admit(bed.db, request('k2'));
    await giveUp(bed.db, request('k2'), (first as { attempt: string }).attempt);
    const second = await admit(bed.db, request('k2'));
    expect(second.kind).toBe('do');
    await bed.db
      .$executeRaw`UPDATE idempotency_keys SET created_at = now() - interval '1 minute' WHERE key = 'k2'`;
    const third = await admit(bed.db, request('k2'));
    expect(third.kind).toBe('do');
    // The first one woke up late: its answer is not kept.
    await settle(bed.db, request('k2'), (second as { attempt: string }).attempt, 202, {});
    expect(await admit(bed.db, request('k2'))).toEqual({ kind: 'under_way' });
  });
});

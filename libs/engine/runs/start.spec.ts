import { derivedId, newId } from '#contracts/ids.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { NamedCheckpointRepository } from '#db/repositories/named-checkpoints.js';
import { RunRepository } from '#db/repositories/runs.js';
import { MemoryStore } from '#testing/memory-store.js';
import { dyingDatabase } from '#testing/engine/dying-database.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { cancelRun } from './cancel.js';
import { acquireKey, deleteRejectedKey, storeResponse } from './idempotency.js';
import { dropRolledBack } from './rollback.js';
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

const start = async (kind: string, onConflict?: OnConflict, id?: string) => {
  const run = { tenantId, sessionId, kind, mode: null, inputs: {}, graphVersion: 'tiny-1' };
  const given = { ...(id ? { id } : {}), ...(onConflict ? { onConflict } : {}) };
  return (await startRun(bed.engine, { ...run, ...given })).id;
};

describe('a second run of a session', () => {
  it('is rejected: of many concurrent starts, one succeeds', async () => {
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => start('ask')));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(start('ask')).rejects.toMatchObject({ code: 'run_active' });
  });

  it('waits for the active run if it is enqueued; several run in order', async () => {
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

  it('starts immediately if it is enqueued and no run is active', async () => {
    await bed.until(await start('quick', 'enqueue'), 'completed');
  });

  it('cancels the active run if it interrupts', async () => {
    const first = await start('ask');
    await bed.until(first, 'waiting');
    const second = await start('quick', 'interrupt');
    await bed.until(second, 'completed');
    expect((await bed.run(first)).status).toBe('cancelled');
  });

  it('replaces the active run once, however many interrupt at the same time', async () => {
    await bed.until(await start('ask'), 'waiting');
    const all = await Promise.all(Array.from({ length: 5 }, () => start('ask', 'interrupt')));
    const runs = await Promise.all(all.map((id) => bed.run(id)));
    expect(runs.filter(({ status }) => status !== 'cancelled')).toHaveLength(1);
  });

  it('is not started twice with the same ID, and does not interrupt itself', async () => {
    for (const onConflict of ['reject', 'enqueue', 'interrupt', 'rollback'] as const) {
      const id = newId('run');
      const all = await Promise.all(Array.from({ length: 10 }, () => start('ask', onConflict, id)));
      expect(new Set(all)).toEqual(new Set([id]));
      await bed.until(id, 'waiting');
      expect((await bed.events(id)).filter(({ data }) => data['status'] === 'queued')).toHaveLength(1);
      await cancelRun(bed.engine, id);
    }
  });
});

describe('a second run that rolls the first one back', () => {
  /** Stores a result of a run in its session, under `name`. */
  async function leave(runId: string, store: MemoryStore, name: string): Promise<void> {
    const keys = { manuscriptKey: `manuscript/${name}`, objectKey: `checkpoints/${name}.md` };
    const checkpoint = {
      id: `${name}.md`,
      label: name,
      effectKey: `${runId}/cp`,
      validated: true,
      afterCheckpointId: null,
      ...keys,
    };
    await new NamedCheckpointRepository(bed.db).add(tenantId, { sessionId, runId, ...checkpoint });
    const file = { name: `${name}.docx`, format: 'docx', size: 4, sha256: name, effectKey: `${runId}/exp` };
    const objectKey = `exports/${name}.docx`;
    await new ExportRepository(bed.db).add(tenantId, { sessionId, runId, objectKey, ...file });
    await store.put(keys.objectKey, Buffer.from(name));
    await store.put(objectKey, Buffer.from(name));
  }
  const names = async () => ({
    checkpoints: (await new NamedCheckpointRepository(bed.db).list(tenantId, sessionId)).map(({ id }) => id),
    exports: (await new ExportRepository(bed.db).list(tenantId, sessionId)).map(({ name }) => name),
    latest: (await new RunRepository(bed.db).latest(tenantId, sessionId))?.id,
  });

  it('restores the session as it was before, even if a worker writes late', async () => {
    const store = new MemoryStore();
    const before = await start('quick');
    await bed.until(before, 'completed');
    await leave(before, store, 'before');
    const first = await start('ask');
    await bed.until(first, 'waiting');
    await leave(first, store, 'first');
    expect(await names()).toMatchObject({
      checkpoints: ['before.md', 'first.md'],
      exports: ['first.docx', 'before.docx'],
    });
    const second = await start('ask', 'rollback');
    await bed.until(second, 'waiting');
    expect((await bed.run(first)).error).toMatchObject({ code: 'rolled_back' });
    expect(await names()).toEqual({ checkpoints: ['before.md'], exports: ['before.docx'], latest: second });
    await cancelRun(bed.engine, second);
    expect(await names()).toMatchObject({ checkpoints: ['before.md'] });

    const late = { sessionId, runId: first, effectKey: `${first}/late`, name: 'late.docx', format: 'docx' };
    const lateFile = { ...late, objectKey: 'exports/late.docx', size: 4, sha256: 'late' };
    await new ExportRepository(bed.db).add(tenantId, lateFile);
    expect((await names()).exports).toEqual(['before.docx']);
    expect(await dropRolledBack(bed.db, store)).toBe(0);
    await store.put(lateFile.objectKey, Buffer.from('late'));
    expect(await dropRolledBack(bed.db, store, 0)).toBe(3);
    expect(await bed.db.export.count({ where: { sessionId } })).toBe(1);
    expect(await store.head('checkpoints/first.md')).toBeNull();
    expect(await store.head('checkpoints/before.md')).not.toBeNull();
  });

  it('is started in the commit that rolls back the first run: if the gateway dies, both happen or neither', async () => {
    for (let at = 1; at <= 5; at++) {
      for (const when of ['before', 'after'] as const) {
        const first = await start('ask', 'interrupt');
        await bed.until(first, 'waiting');
        const second = newId('run');
        const dying = dyingDatabase(bed.db, at, when);
        const run = {
          id: second,
          tenantId,
          sessionId,
          kind: 'ask',
          mode: null,
          inputs: {},
          graphVersion: 'tiny-1',
        };
        const request = { ...run, onConflict: 'rollback' as const };
        await startRun({ ...bed.engine, db: dying.db }, request).catch(() => undefined);
        const isIn = (await bed.db.run.count({ where: { id: second } })) === 1;
        expect((await bed.run(first)).rolledBackAt !== null).toBe(isIn);
        expect((await startRun(bed.engine, request)).id).toBe(second);
        expect((await bed.run(first)).rolledBackAt).not.toBeNull();
      }
    }
  });
});

describe('an Idempotency-Key', () => {
  const request = (key: string, hash = 'h') => ({ tenantId, key, hash });

  it('admits one of fifty equal requests and repeats its response to later ones', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => acquireKey(bed.db, request('k1'))));
    const admitted = all.filter(({ kind }) => kind === 'do');
    expect(admitted).toHaveLength(1);
    expect(all.filter(({ kind }) => kind === 'under_way')).toHaveLength(49);
    await storeResponse(bed.db, request('k1'), (admitted[0] as { attempt: string }).attempt, 202, {
      id: 'run_1',
    });
    expect(await acquireKey(bed.db, request('k1'))).toEqual({
      kind: 'repeat',
      status: 202,
      body: { id: 'run_1' },
    });
    expect(await acquireKey(bed.db, request('k1', 'other'))).toEqual({ kind: 'other_request' });
  });

  it('can be acquired again if the request failed or its process died', async () => {
    const first = await acquireKey(bed.db, request('k2'));
    await deleteRejectedKey(bed.db, request('k2'), (first as { attempt: string }).attempt);
    const second = await acquireKey(bed.db, request('k2'));
    expect(second.kind).toBe('do');
    await bed.db
      .$executeRaw`UPDATE idempotency_keys SET created_at = now() - interval '1 minute' WHERE key = 'k2'`;
    const third = await acquireKey(bed.db, request('k2'));
    expect(third.kind).toBe('do');
    expect((third as { seed: string }).seed).toBe((second as { seed: string }).seed);
    expect((second as { seed: string }).seed).not.toBe((first as { seed: string }).seed);
    // The first one woke up late: its answer is not kept.
    await storeResponse(bed.db, request('k2'), (second as { attempt: string }).attempt, 202, {});
    expect(await acquireKey(bed.db, request('k2'))).toEqual({ kind: 'under_way' });
  });

  it('X3 finds the run that a process started before it died without a response', async () => {
    const first = (await acquireKey(bed.db, request('k3'))) as { seed: string };
    const runId = await start('quick', 'interrupt', derivedId('run', first.seed));
    await bed.until(runId, 'completed');
    await bed.db
      .$executeRaw`UPDATE idempotency_keys SET created_at = now() - interval '1 minute' WHERE key = 'k3'`;
    const again = (await acquireKey(bed.db, request('k3'))) as { seed: string };
    expect(await start('quick', 'interrupt', derivedId('run', again.seed))).toBe(runId);
    expect(await bed.db.run.count({ where: { sessionId } })).toBe(1);
  });
});

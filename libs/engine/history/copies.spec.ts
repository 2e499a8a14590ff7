import { newId } from '#contracts/ids.js';
import { buildInitialState } from '#document/graph/state.js';
import { createObjectStore } from '#storage/create-object-store.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { publishedTextsKey, sessionKey, sessionPrefix, tenantPrefix } from '#storage/session-keys.js';
import { storeColumns } from '#testing/columns.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { createTestStorage, type TestStorage } from '#testing/storage.js';
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import { PrismaSaver } from '../checkpointer/prisma-saver.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { purgeDeleted } from '../runs/delete.js';
import { forkSession } from './fork.js';
import { promoteFork } from './promote.js';
import { sweepCopies } from './session-copy.js';
import { sweepObjects } from './sweep-objects.js';

const admit = () => Promise.resolve();

/** A store that fails from its nth writing call on, as one does whose process dies. */
function failingFrom(store: ObjectStore, nth: number): ObjectStore {
  let calls = 0;
  return new Proxy(store, {
    get(target, name: keyof ObjectStore) {
      const method = target[name] as (...args: unknown[]) => unknown;
      if (name !== 'copy' && name !== 'put') return method.bind(target);
      return (...args: unknown[]) => {
        if (++calls >= nth) return Promise.reject(new Error('the process died'));
        return method.apply(target, args);
      };
    },
  });
}

describe.each(storeColumns())('X5 copies of objects on $name', (column) => {
  let bed: EngineBed;
  let storage: TestStorage;
  let store: ObjectStore;
  let tenantId: string;

  beforeAll(async () => {
    bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
    storage = await createTestStorage(column);
    store = createObjectStore(storage.config);
  });
  afterAll(async () => {
    await bed.close();
    await storage.drop();
  });
  beforeEach(async () => {
    tenantId = await bed.tenant();
  });

  async function keysUnder(prefix: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of store.list(prefix)) keys.push(key);
    return keys;
  }

  /** A session with an input and a manuscript of two segments, and a run that has ended with it. */
  async function writtenSession() {
    const [sessionId, runId] = [newId('ses'), newId('run')];
    await bed.db.session.create({ data: { id: sessionId, tenantId } });
    const objectKey = sessionKey(tenantId, sessionId, 'inputs', newId('fil'));
    const { size, sha256 } = await store.put(objectKey, Buffer.from('# A\n'));
    const file = { sessionId, tenantId, folder: 'inputs', name: 'a.md', objectKey, size, sha256 };
    await bed.db.sessionFile.create({ data: { id: newId('fil'), mediaType: 'text/markdown', ...file } });
    const manuscripts = new ManuscriptStore(store, tenantId, sessionId);
    const before = await manuscripts.append(null, '# A\n');
    const { pointer } = await manuscripts.append(before.pointer, 'Text.\n');
    const finishedAt = new Date();
    const run = { id: runId, tenantId, sessionId, kind: 'document', status: 'completed', inputs: {} };
    await bed.db.run.create({
      data: { ...run, graphVersion: '1', finishedAt, summary: { temp_md_path: pointer } },
    });
    const saver = new PrismaSaver(bed.db);
    const values = { ...buildInitialState(sessionId, ['a.md'], ['a.md']), temp_md_path: pointer };
    const versions = Object.fromEntries(
      Object.keys(values).map((key) => [key, saver.getNextVersion(undefined)]),
    );
    const checkpoint = { ...emptyCheckpoint(), channel_values: values, channel_versions: versions };
    const metadata = { source: 'loop' as const, step: 3, parents: {} };
    await saver.put({ configurable: { thread_id: runId } }, checkpoint as never, metadata, versions);
    return { sessionId, runId, checkpointId: checkpoint.id, pointer, old: before.pointer };
  }

  it('X9 a fork can review its copies of Word files', async () => {
    const { sessionId, runId, checkpointId } = await writtenSession();
    const [objectKey, textKey] = [
      sessionKey(tenantId, sessionId, 'exports', 'tsk_1.docx'),
      publishedTextsKey(tenantId, sessionId, 'digest'),
    ];
    for (const key of [objectKey, textKey]) await store.put(key, Buffer.from('{}'));
    const file = { name: 'a.docx', format: 'docx', objectKey, textKey, size: 2, sha256: '' };
    await bed.db.export.create({
      data: {
        id: newId('exp'),
        tenantId,
        sessionId,
        runId,
        effectKey: 'tsk_1',
        ...file,
        createdAt: new Date(0),
      },
    });
    const made = await forkSession(bed.engine, store, { tenantId, sessionId, runId, checkpointId }, admit);
    const copy = await bed.db.export.findFirstOrThrow({ where: { sessionId: made.sessionId } });
    expect(copy.textKey).toBe(publishedTextsKey(tenantId, made.sessionId, 'digest'));
    expect(Buffer.from(await store.getBytes(copy.textKey!)).toString()).toBe('{}');
  });

  it('X5 a fork that fails at any object leaves no visible rows, and its objects are purged', async () => {
    const { sessionId, runId, checkpointId, pointer } = await writtenSession();
    const request = { tenantId, sessionId, runId, checkpointId };
    const own = await keysUnder(tenantPrefix(tenantId));
    let broken = 0;
    for (; ; broken++) {
      const attempt = forkSession(bed.engine, failingFrom(store, broken + 1), request, admit);
      const made = await attempt.catch((error: unknown) => {
        expect(String(error)).toContain('the process died');
        return null;
      });
      if (made) {
        const copy = new ManuscriptStore(store, tenantId, made.sessionId);
        const run = await bed.run(made.runId);
        const [manuscript] = await bed.db.sessionResult.findMany({
          where: { runId: run.id, name: 'manuscript' },
        });
        const at = manuscript!.objectKey!;
        expect(await copy.read(at)).toBe(await copy.read(pointer));
        const forked = await keysUnder(sessionPrefix(tenantId, made.sessionId));
        for (const key of await copy.keysOf(at)) expect(forked).toContain(key);
        break;
      }
      expect(await bed.db.session.count({ where: { tenantId } })).toBe(1);
      expect(await bed.db.run.count({ where: { tenantId } })).toBe(1);
    }
    // An input, two segments and a manifest.
    expect(broken).toBe(4);

    const forks = await bed.db.session.findMany({ where: { tenantId, forkedFrom: sessionId } });
    const kept = await keysUnder(sessionPrefix(tenantId, forks[0]!.id));
    await sweepCopies(bed.db);
    expect(await bed.db.purge.count()).toBe(0);
    await bed.db.$executeRaw`UPDATE session_copies SET created_at = now() - interval '2 hours'`;
    await sweepCopies(bed.db);
    expect(await bed.db.sessionCopy.count()).toBe(0);
    await purgeDeleted(bed.db, store);
    expect(await keysUnder(tenantPrefix(tenantId))).toEqual([...own, ...kept].sort());
  });

  it('X5 a promoted fork brings the order of its inputs along', async () => {
    const { sessionId, runId, checkpointId } = await writtenSession();
    const request = { tenantId, sessionId, runId, checkpointId };
    const { sessionId: forkSessionId } = await forkSession(bed.engine, store, request, admit);
    const position = async (id: string) =>
      (await bed.db.sessionFile.findFirst({ where: { tenantId, sessionId: id, folder: 'inputs' } }))
        ?.position;
    expect(await new SessionFileRepository(bed.db).order(tenantId, forkSessionId, ['a.md'])).toEqual([]);
    expect([await position(sessionId), await position(forkSessionId)]).toEqual([null, 1]);
    const promotion = { tenantId, sessionId, forkSessionId, onConflict: 'interrupt' as const };
    await promoteFork(bed.engine, store, promotion, admit);
    expect(await position(sessionId)).toBe(1);
  });

  it('X5 a fork that takes too long fails and leaves no visible rows', async () => {
    const { sessionId, runId, checkpointId } = await writtenSession();
    const givingUp = async () => {
      await bed.db.sessionCopy.deleteMany();
    };
    const late = new Proxy(store, {
      get(target, name: keyof ObjectStore) {
        const method = (target[name] as (...args: unknown[]) => unknown).bind(target);
        return name === 'copy' ? (...args: unknown[]) => givingUp().then(() => method(...args)) : method;
      },
    });
    const request = { tenantId, sessionId, runId, checkpointId };
    await expect(forkSession(bed.engine, late, request, admit)).rejects.toThrow(/took too long/);
    expect(await bed.db.session.count({ where: { tenantId } })).toBe(1);
  });

  it('X5 deletes objects without a reference in rows or states, once the runs of the session are swept', async () => {
    const { sessionId, runId, pointer, old } = await writtenSession();
    const prefix = sessionPrefix(tenantId, sessionId);
    const orphan = `${prefix}manuscript/segments/orphan.md`;
    await store.put(orphan, Buffer.from('written twice'));
    const text = await new ManuscriptStore(store, tenantId, sessionId).read(pointer);
    const all = await keysUnder(prefix);

    // Objects that were just written are left alone, and so is a session whose runs are still to be swept.
    expect(await sweepObjects(bed.engine, store, -60)).toBe(0);
    await bed.db.run.updateMany({ where: { id: runId }, data: { sweptAt: new Date() } });
    expect(await sweepObjects(bed.engine, store)).toBe(0);
    expect(await keysUnder(prefix)).toEqual(all);

    // A negative grace period makes every object old enough.
    expect(await sweepObjects(bed.engine, store, -60)).toBe(2);
    expect(await keysUnder(prefix)).toEqual(all.filter((key) => key !== orphan && key !== old));
    expect(await new ManuscriptStore(store, tenantId, sessionId).read(pointer)).toBe(text);
    await store.put(orphan, Buffer.from('late'));
    expect(await sweepObjects(bed.engine, store, -60)).toBe(0);
  });
});

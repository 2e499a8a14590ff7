import { newId } from '#contracts/ids.js';
import type { Database } from '#db/client.js';
import { RememberedDecisionRepository } from '#db/repositories/decisions.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { sessionKey } from '#storage/session-keys.js';
import { DirectoryStore } from '#storage/directory-store.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { until } from '#testing/until.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteSession } from './delete.js';

const ROUNDS = 12;
/** Time limit of a transaction: above the limit of the waits within it, whose errors say more. */
const TIMEOUT_MS = 150_000;

describe('a session that is deleted while another session reuses its answer (X2)', () => {
  let bed: EngineBed;
  let folder: string;
  let store: DirectoryStore;
  let db: Database;
  let answers: RememberedDecisionRepository;

  beforeAll(async () => {
    bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
    db = bed.db;
    answers = new RememberedDecisionRepository(db);
    folder = await mkdtemp(join(tmpdir(), 'delete-'));
    store = new DirectoryStore(folder);
  });
  afterAll(async () => {
    await bed.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A session with an asset that answered a reference, and a session of the same tenant that may copy it. */
  async function make() {
    const tenantId = await bed.tenant();
    const [owner, heir] = [newId('ses'), newId('ses')];
    for (const id of [owner, heir]) await db.session.create({ data: { id, tenantId } });
    const objectKey = sessionKey(tenantId, owner, 'assets', 'plan.png');
    const { size, sha256 } = await store.put(objectKey, Buffer.from('a picture'));
    const file = { name: 'plan.png', objectKey, size, sha256, mediaType: 'image/png' };
    await new SessionFileRepository(db).add(tenantId, { sessionId: owner, folder: 'assets', ...file });
    const question = { sourceHash: newId('src'), ref: 'plan.png' };
    await answers.keep(tenantId, question.sourceHash, question.ref, file);
    const takeOver = () => answers.takeOver(tenantId, heir, question, file);
    const remove = () => deleteSession(bed.engine, store, tenantId, owner);
    const inherited = () => db.sessionFile.findMany({ where: { sessionId: heir } });
    return { owner, takeOver, remove, inherited };
  }

  /** Statements that wait for a lock. */
  async function waiting(): Promise<number> {
    const rows = await db.$queryRaw<object[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return rows.length;
  }

  it('does not provide an answer that is being deleted', async () => {
    const { takeOver, remove, inherited } = await make();
    const { removed, taken } = await db.$transaction(
      async (tx) => {
        // Where the deletion waits for it, the answer is forgotten and that is not committed.
        await tx.$executeRaw`LOCK TABLE purges IN ACCESS EXCLUSIVE MODE`;
        const removed = remove();
        await until('the deletion to wait', waiting, (count) => count === 1);
        const taken = takeOver();
        let isTaken = false;
        void taken.finally(() => (isTaken = true));
        await until('the other to wait, too', waiting, (count) => isTaken || count === 2);
        return { removed, taken };
      },
      { timeout: TIMEOUT_MS },
    );
    await removed;
    expect(await taken).toBe(false);
    expect(await inherited()).toEqual([]);
  });

  it('provides a copy of the file if the other session was first, in any order of the two', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { owner, takeOver, remove, inherited } = await make();
      const [isTaken] = await Promise.all([takeOver(), remove()]);
      const files = await inherited();
      expect(files).toHaveLength(isTaken ? 1 : 0);
      for (const { objectKey } of files) {
        expect(objectKey).not.toContain(owner);
        expect(Buffer.from(await store.getBytes(objectKey)).toString()).toBe('a picture');
      }
    }
  });

  it('tries again after it and another transaction waited for each other', async () => {
    const { owner, remove } = await make();
    const { tenantId } = await db.session.findUniqueOrThrow({ where: { id: owner } });
    const file = { tenantId, sessionId: owner, folder: 'inputs', name: 'a.md', objectKey: 'k', sha256: 's' };
    const { id } = await db.sessionFile.create({
      data: { id: newId('fil'), ...file, size: 1, mediaType: 'x' },
    });
    const removed = await db.$transaction(
      async (tx) => {
        // The deletion is the one that PostgreSQL undoes.
        await tx.$executeRaw`SET LOCAL deadlock_timeout = '1h'`;
        await tx.$executeRaw`UPDATE session_files SET size = 2 WHERE id = ${id}`;
        const removed = remove();
        await until('the deletion to wait', waiting, (count) => count === 1);
        await tx.$executeRaw`SELECT id FROM sessions WHERE id = ${owner} FOR KEY SHARE`;
        return { removed };
      },
      { timeout: TIMEOUT_MS },
    );
    await removed.removed;
    expect(await db.session.count({ where: { id: owner } })).toBe(0);
  });
});

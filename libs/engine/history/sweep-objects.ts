import type { Database } from '#db/client.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import { ObjectNotFoundError, type ObjectStore } from '#storage/object-store.js';
import { sessionPrefix } from '#storage/session-keys.js';
import type { Engine } from '../engine.js';
import type { KnownKinds } from '../kind.js';
import { textsIn } from './reference-rewriter.js';
import type { Transaction } from './resumed-run.js';

/** Seconds that an unused object is kept: it may have just been written. */
const GRACE_SECONDS = 24 * 3_600;
/** Maximum sessions per round. */
const BATCH = 20;
/** Timeout for one session in ms. */
const TIMEOUT_MS = 120_000;

/**
 * Removes objects of sessions that no row and no state refers to: segments of manuscripts written in repeated
 * steps, ledgers of earlier validations, copies of interrupted promotions. Searches a session once, after its
 * runs have ended and were swept.
 *
 * @returns the number of objects removed
 */
export async function sweepObjects(
  { db, kinds }: Pick<Engine, 'db' | 'kinds'>,
  store: ObjectStore,
  graceSeconds = GRACE_SECONDS,
): Promise<number> {
  const due = await db.$queryRaw<{ id: string; tenantId: string }[]>`
    SELECT s.id, s.tenant_id AS "tenantId" FROM sessions s
    WHERE s.objects_swept_at IS NULL AND s.created_at < now() - make_interval(secs => ${graceSeconds})
      AND NOT EXISTS (
        SELECT 1 FROM runs r WHERE r.session_id = s.id
          AND (r.swept_at IS NULL OR r.finished_at > now() - make_interval(secs => ${graceSeconds})))
    LIMIT ${BATCH}`;
  let removed = 0;
  for (const session of due) removed += await sweepSession(db, kinds, store, session, graceSeconds);
  return removed;
}

/**
 * Removes unused objects of one session. Locks the session, because a new run or copy might refer to them
 * again.
 */
function sweepSession(
  db: Database,
  kinds: KnownKinds,
  store: ObjectStore,
  { id, tenantId }: { id: string; tenantId: string },
  graceSeconds: number,
): Promise<number> {
  const prefix = sessionPrefix(tenantId, id);
  return db.$transaction(
    async (tx) => {
      const lockedSession = await tx.$queryRaw<object[]>`
        SELECT id FROM sessions WHERE id = ${id}
          AND NOT EXISTS (SELECT 1 FROM runs WHERE session_id = ${id} AND swept_at IS NULL)
          AND NOT EXISTS (SELECT 1 FROM session_copies WHERE prefix = ${prefix})
        FOR UPDATE SKIP LOCKED`;
      if (lockedSession.length === 0) return 0;
      const needed = await keysInUse(tx, kinds, store, tenantId, id, prefix);
      const before = Date.now() - graceSeconds * 1_000;
      let removed = 0;
      for await (const { key, lastModified } of store.list(prefix)) {
        if (needed.has(key) || lastModified.getTime() > before) continue;
        await store.delete(key);
        removed++;
      }
      await tx.session.updateMany({ where: { id }, data: { objectsSweptAt: new Date() } });
      return removed;
    },
    { timeout: TIMEOUT_MS, maxWait: TIMEOUT_MS },
  );
}

async function keysInUse(
  tx: Transaction,
  kinds: KnownKinds,
  store: ObjectStore,
  tenantId: string,
  sessionId: string,
  prefix: string,
): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ key: string }[]>`
    SELECT object_key AS key FROM session_files WHERE tenant_id = ${tenantId} AND starts_with(object_key, ${prefix})
    UNION SELECT object_key FROM exports WHERE session_id = ${sessionId}
    UNION SELECT text_key FROM exports WHERE session_id = ${sessionId} AND text_key IS NOT NULL
    UNION SELECT base FROM proposals WHERE tenant_id = ${tenantId} AND session_id = ${sessionId}
    UNION SELECT object_key FROM named_checkpoints WHERE session_id = ${sessionId}
    UNION SELECT manuscript_key FROM named_checkpoints WHERE session_id = ${sessionId}
    UNION SELECT object_key FROM session_results WHERE session_id = ${sessionId} AND object_key IS NOT NULL
    UNION SELECT file->>'objectKey' FROM remembered_decisions
      WHERE tenant_id = ${tenantId} AND starts_with(file->>'objectKey', ${prefix})`;
  const blobs = await tx.$queryRaw<{ value: Uint8Array }[]>`
    SELECT b.value FROM graph_blobs b JOIN runs r ON r.id = b.thread_id
    WHERE r.session_id = ${sessionId} AND b.type = 'json' AND position(convert_to(${prefix}, 'UTF8') IN b.value) > 0`;
  const states = blobs.map(({ value }) => JSON.parse(Buffer.from(value).toString('utf8')) as unknown);
  const named = textsIn(states).filter((text) => text.startsWith(prefix));
  const keys = new Set([...rows.map(({ key }) => key), ...named]);
  const manuscripts = new ManuscriptStore(store, tenantId, sessionId);
  for (const key of [...keys]) {
    for (const { continuation } of kinds.values())
      for (const beside of continuation.companions(key)) keys.add(beside);
    if (!key.startsWith(`${prefix}manuscript/`)) continue;
    for (const segment of await segmentsOf(manuscripts, key)) keys.add(segment);
  }
  return keys;
}

async function segmentsOf(manuscripts: ManuscriptStore, pointer: string): Promise<string[]> {
  try {
    return await manuscripts.keysOf(pointer);
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return [];
    throw error;
  }
}

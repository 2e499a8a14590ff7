import type { Database } from '#db/client.js';
import type { ObjectStore } from '#storage/object-store.js';

/** Seconds after a rollback from which on no worker writes for the run. */
const KEEP_SECONDS = 900;
/** Maximum rows of each type removed per round. */
const BATCH = 200;

interface Result {
  id: string;
  session_id: string;
  object_key: string;
}

/**
 * Removes named checkpoints and exports of rolled-back runs. Deletes the object before the row, so that an
 * interrupted removal is repeated. They have not counted since the rollback, but stay for a while because a
 * late worker may still write them.
 *
 * @returns the number of rows removed
 */
export async function dropRolledBack(
  db: Database,
  store: ObjectStore,
  keepSeconds = KEEP_SECONDS,
): Promise<number> {
  const exports = await db.$queryRaw<Result[]>`
    SELECT e.id, e.session_id, e.object_key FROM runs r JOIN exports e ON e.tenant_id = r.tenant_id AND e.run_id = r.id
    WHERE r.rolled_back_at < now() - make_interval(secs => ${keepSeconds}) LIMIT ${BATCH}`;
  for (const { id, object_key } of exports) {
    await store.delete(object_key);
    await db.export.deleteMany({ where: { id } });
  }
  const checkpoints = await db.$queryRaw<Result[]>`
    SELECT c.id, c.session_id, c.object_key
    FROM runs r JOIN named_checkpoints c ON c.session_id = r.session_id AND c.run_id = r.id
    WHERE r.rolled_back_at < now() - make_interval(secs => ${keepSeconds}) LIMIT ${BATCH}`;
  for (const { id, session_id, object_key } of checkpoints) {
    await store.delete(object_key);
    await db.namedCheckpoint.deleteMany({ where: { sessionId: session_id, id } });
  }
  return exports.length + checkpoints.length;
}

import type { Database } from '#db/client.js';

/** Seconds after its end from which a run keeps its last checkpoint only. */
export const KEEP_SECONDS = 600;
/** Hours for which the answer to an `Idempotency-Key` is kept. */
const KEY_HOURS = 24;
/** Runs swept per round. */
const BATCH = 20;

/**
 * Removes what finished runs no longer need: every graph checkpoint but the last, the writes of the removed ones, and the
 * values that the last one does not name. What a run costs in the database is then independent of its number of steps.
 *
 * @returns how many runs were swept
 */
export async function sweep(db: Database, keepSeconds = KEEP_SECONDS): Promise<number> {
  await db.$executeRaw`
    /* sweep keys */ DELETE FROM idempotency_keys WHERE created_at < now() - make_interval(hours => ${KEY_HOURS})`;
  await db.$executeRaw`/* sweep rates */ DELETE FROM rate_counts WHERE ends_at < now()`;
  return db.$executeRaw`
    /* sweep runs */ WITH due AS (
      SELECT id FROM runs
      WHERE finished_at < now() - make_interval(secs => ${keepSeconds}) AND swept_at IS NULL
      ORDER BY finished_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ),
    kept AS (
      SELECT DISTINCT ON (c.thread_id, c.ns) c.thread_id, c.ns, c.id, c.head->'channel_versions' AS versions
      FROM graph_checkpoints c JOIN due ON due.id = c.thread_id
      ORDER BY c.thread_id, c.ns, c.id DESC
    ),
    old_checkpoints AS (
      DELETE FROM graph_checkpoints c USING kept k
      WHERE c.thread_id = k.thread_id AND c.ns = k.ns AND c.id <> k.id
    ),
    old_writes AS (
      DELETE FROM graph_writes w USING kept k
      WHERE w.thread_id = k.thread_id AND w.ns = k.ns AND w.checkpoint_id <> k.id
    ),
    old_blobs AS (
      DELETE FROM graph_blobs b USING kept k
      WHERE b.thread_id = k.thread_id AND b.ns = k.ns AND k.versions->>b.channel IS DISTINCT FROM b.version
    )
    UPDATE runs SET swept_at = now() FROM due WHERE runs.id = due.id`;
}

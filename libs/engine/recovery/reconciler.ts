import { logRepeatedErrors } from '#telemetry/logger.js';
import { processMetrics } from '#telemetry/metrics.js';
import type pg from 'pg';
import type { Engine } from '../engine.js';
import { EVENTS_CHANNEL } from '../runs/event-log.js';
import type { NotificationListener } from '../events/listener.js';
import { NO_ACTIVE_RUN, reconcile, type ReconcileReport } from './reconcile.js';
import { removeResolvedLetters } from '../tasks/resolved-letters.js';
import { Prisma, type Database } from '#db/client.js';

/** Advisory lock key: only the session that has the lock reconciles. */
const RECONCILER_LOCK = 7_370_003;
const ROUND_MS = 1_000;
/** Interval in ms of the rounds while no run is active, unless a run has a new event. */
const IDLE_ROUND_MS = 5_000;
/** Interval in ms of the removal of old data, which is never urgent; and while no run is active. */
const REMOVAL_MS = 30_000;
const IDLE_REMOVAL_MS = 5 * 60_000;

/**
 * Runs `reconcile` every second in one gateway at a time. The leader's session has an advisory lock, so
 * another gateway takes over when the leader dies.
 *
 * @param listener its session gets the lock; a notification about a run ends an idle pause
 * @param reminderSeconds before the deadline of a decision at which people are reminded; 0 for no reminders
 */
export function startReconciler(
  engine: Engine,
  listener: NotificationListener,
  reminderSeconds?: number,
): { stop(): Promise<void> } {
  /** Session that has the lock. */
  let leading: pg.Client | null = null;
  /** The last round found no active run. */
  let isIdle = false;
  /** An idle pause, which a notification ends. */
  let isPausing = false;
  let stopped = false;
  let removedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  const logFailure = logRepeatedErrors(engine.log, 'failed to reconcile runs; will retry');
  // Shows every action with 0 before the first round, so that monitoring sees the first increase.
  countActions(NO_ACTIVE_RUN);

  const runRound = async () => {
    await listener.listen(EVENTS_CHANNEL);
    const { session } = listener;
    if (!session) return;
    if (leading !== session) {
      const { rows } = await session.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [
        RECONCILER_LOCK,
      ]);
      leading = rows[0]?.held === true ? session : null;
    }
    if (!leading) return;
    const report = await reconcile(engine, reminderSeconds);
    isIdle = report === NO_ACTIVE_RUN;
    countActions(report);
    if (Date.now() - removedAt < (isIdle ? IDLE_REMOVAL_MS : REMOVAL_MS)) return;
    while ((await sweep(engine.db)) === SWEEP_BATCH);
    while ((await pruneActive(engine.db)) === SWEEP_BATCH);
    await removeResolvedLetters(engine);
    removedAt = Date.now();
  };
  const next = () => {
    clearTimeout(timer);
    if (stopped) return;
    isPausing = isIdle;
    timer = setTimeout(
      () => {
        isIdle = isPausing = false;
        round = runRound().catch(logFailure).finally(next);
      },
      isIdle ? IDLE_ROUND_MS : ROUND_MS,
    );
  };
  const stopWaking = listener.on(EVENTS_CHANNEL, () => {
    isIdle = false;
    if (isPausing) next();
  });
  next();
  return {
    async stop() {
      stopped = true;
      stopWaking();
      clearTimeout(timer);
      await round;
      // The lock also ends with its connection.
      await leading?.query('SELECT pg_advisory_unlock($1)', [RECONCILER_LOCK]).catch(() => undefined);
    },
  };
}

function countActions(report: ReconcileReport): void {
  for (const [action, count] of Object.entries(report)) {
    processMetrics.reconcilerActions.inc({ action }, Number(count));
  }
}

/** Seconds after a run's end until its old graph checkpoints are removed, as `sweep` describes. */
const KEEP_SECONDS = 600;
/** Number of newest graph checkpoints that are kept for an active run, in addition to named checkpoints. */
export const KEEP_NEWEST = 25;
/** Minimum seconds between two prunings of an active run. */
const PRUNE_SECONDS = 30;
/** Hours for which the response to an `Idempotency-Key` is stored. */
const KEY_HOURS = 24;
/** Maximum runs per round. */
const SWEEP_BATCH = 20;

/**
 * Removes data that finished runs no longer need: graph checkpoints other than the last one and the ones
 * behind named checkpoints, the writes of the removed checkpoints, and values that no remaining checkpoint
 * refers to. The storage that a run uses is then independent of its number of steps.
 *
 * @returns the number of runs swept
 */
export async function sweep(db: Database, keepSeconds = KEEP_SECONDS): Promise<number> {
  await db.$executeRaw`
    /* sweep keys */ DELETE FROM idempotency_keys WHERE created_at < now() - make_interval(hours => ${KEY_HOURS})`;
  await db.$executeRaw`/* sweep rates */ DELETE FROM rate_counts WHERE ends_at < now()`;
  const due = Prisma.sql`
    SELECT id, session_id FROM runs
    WHERE finished_at < now() - make_interval(secs => ${keepSeconds}) AND swept_at IS NULL
    ORDER BY finished_at LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED`;
  // The removed states may have been the last that referred to some objects of the session.
  return db.$executeRaw`
    /* sweep runs */ WITH ${removedCheckpoints(due, 1)},
    searched AS (UPDATE sessions SET objects_swept_at = NULL FROM due WHERE sessions.id = due.session_id)
    UPDATE runs SET swept_at = now() FROM due WHERE runs.id = due.id`;
}

/**
 * Removes old graph checkpoints of active runs, except the newest and the ones behind named checkpoints, so that the
 * storage of a long run stays constant. The runner never reads the removed ones.
 *
 * @returns the number of runs pruned
 */
export async function pruneActive(db: Database, pauseSeconds = PRUNE_SECONDS): Promise<number> {
  const due = Prisma.sql`
    SELECT id FROM runs
    WHERE status IN ('running', 'waiting') AND coalesce(pruned_at, created_at) < updated_at
      AND coalesce(pruned_at, created_at) < now() - make_interval(secs => ${pauseSeconds})
    ORDER BY coalesce(pruned_at, created_at) LIMIT ${SWEEP_BATCH}`;
  return db.$executeRaw`
    /* prune runs */ WITH ${removedCheckpoints(due, KEEP_NEWEST)}
    UPDATE runs SET pruned_at = now() FROM due WHERE runs.id = due.id`;
}

/**
 * Returns CTEs that remove the old checkpoints of the runs in `due`, with the writes and values that only
 * those use.
 */
function removedCheckpoints(due: Prisma.Sql, newest: number): Prisma.Sql {
  return Prisma.sql`
    due AS MATERIALIZED (${due}),
    ranked AS (
      SELECT c.thread_id, c.ns, c.id, c.parent_id, c.head->'channel_versions' AS versions,
        row_number() OVER (PARTITION BY c.thread_id, c.ns ORDER BY c.created_at DESC, c.id DESC) AS age
      FROM graph_checkpoints c JOIN due ON due.id = c.thread_id
    ),
    kept AS MATERIALIZED (
      SELECT thread_id, ns, id, versions FROM ranked
      WHERE age <= ${newest} OR EXISTS (
        SELECT 1 FROM named_checkpoints n
        WHERE n.run_id = ranked.thread_id AND n.after_checkpoint_id = ranked.parent_id)
    ),
    named_values AS MATERIALIZED (
      SELECT DISTINCT k.thread_id, k.ns, v.key AS channel, v.value AS version
      FROM kept k CROSS JOIN LATERAL jsonb_each_text(k.versions) v
    ),
    old_checkpoints AS (
      DELETE FROM graph_checkpoints c USING due
      WHERE c.thread_id = due.id AND NOT EXISTS (
        SELECT 1 FROM kept k WHERE k.thread_id = c.thread_id AND k.ns = c.ns AND k.id = c.id)
    ),
    old_writes AS (
      DELETE FROM graph_writes w USING due
      WHERE w.thread_id = due.id AND NOT EXISTS (
        SELECT 1 FROM kept k WHERE k.thread_id = w.thread_id AND k.ns = w.ns AND k.id = w.checkpoint_id)
    ),
    old_blobs AS (
      DELETE FROM graph_blobs b USING due
      WHERE b.thread_id = due.id AND NOT EXISTS (
        SELECT 1 FROM named_values v
        WHERE v.thread_id = b.thread_id AND v.ns = b.ns AND v.channel = b.channel AND v.version = b.version)
    )`;
}

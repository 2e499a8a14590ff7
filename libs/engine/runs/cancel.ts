import { messageOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { ACTIVE_STATUSES } from '#db/shown-status.js';
import { Prisma, type DatabaseOrTransaction } from '#db/client.js';
import { announce, CANCEL_CHANNEL, eventsCte } from './event-log.js';
import { completeParentTask } from './child-runs.js';
import { dispatch, taskJobId } from '../queue/dispatch.js';
import { leftToReconciler, type Engine } from '../engine.js';
import { queueNames, type QueueName } from '#contracts/queues.js';

interface StoppedTask {
  id: string | null;
  queue: string;
  enqueues: number;
}

/**
 * Cancels a run: first the row (the epoch rises, which fences its runner out), then a broadcast that aborts
 * the model call in flight, then the jobs of its tasks. Finally dispatches, because cancelling may free a
 * place.
 *
 * @param handOn false if the caller dispatches
 * @returns false if the run had already ended
 */
export async function cancelRun(engine: Engine, runId: string, { handOn = true } = {}): Promise<boolean> {
  const stopped = await writeCancellation(engine.db, runId);
  if (!stopped) return false;
  await afterCancellation(engine, runId, stopped);
  if (handOn) await leftToReconciler(dispatch(engine));
  return true;
}

/**
 * Writes a cancellation in one statement.
 *
 * @param isRollback also discards what the run did to its session
 * @returns the tasks that were stopped, or null if the run had already ended
 */
export async function writeCancellation(
  db: DatabaseOrTransaction,
  runId: string,
  isRollback = false,
): Promise<StoppedTask[] | null> {
  const error = isRollback
    ? { code: 'rolled_back', ...messageOf(phrase('run_error.rolled_back')) }
    : { code: 'cancelled', ...messageOf(phrase('run_error.cancelled')) };
  const data = { status: 'cancelled', error };
  const events = [
    { type: 'run_status' as const, data, effectKey: 'ended' },
    { type: 'done' as const, data, effectKey: 'done' },
  ];
  const guard = Prisma.sql`status IN (${ACTIVE_STATUSES})`;
  const set = Prisma.sql`status = 'cancelled', epoch = epoch + 1, lease_until = NULL, finished_at = now(),
    error = ${JSON.stringify(error)}::jsonb, rolled_back_at = ${isRollback ? Prisma.sql`now()` : Prisma.sql`NULL`},`;
  const rows = await db.$queryRaw<StoppedTask[]>(Prisma.sql`
    /* cancel run */ WITH ${eventsCte(runId, events, guard, set)},
    stopped AS (
      UPDATE tasks SET status = 'cancelled', completed_at = now() FROM run_row
      WHERE tasks.run_id = run_row.id AND tasks.status = 'pending'
      RETURNING tasks.id, tasks.queue, tasks.enqueues
    ),
    broadcast AS (SELECT pg_notify(${CANCEL_CHANNEL}, id) FROM run_row)
    SELECT stopped.id, stopped.queue, stopped.enqueues
    FROM run_row LEFT JOIN stopped ON true, (SELECT count(*) FROM broadcast) b`);
  return rows.length === 0 ? null : rows;
}

/**
 * Runs after a cancellation is committed: notifies listeners, cancels child runs and removes the jobs of the
 * tasks.
 */
export async function afterCancellation(
  engine: Engine,
  runId: string,
  stopped: StoppedTask[],
): Promise<void> {
  announce(engine.db, runId);
  await cancelChildren(engine, runId).catch((error: unknown) =>
    engine.log.warn({ err: error, run_id: runId }, 'failed to cancel child runs; the reconciler will retry'),
  );
  await leftToReconciler(completeParentTask(engine, runId));
  for (const row of stopped) {
    if (row.id === null || row.queue === 'agent-runner' || !queueNames.includes(row.queue as QueueName))
      continue;
    const jobId = taskJobId({ id: row.id, enqueues: row.enqueues });
    // A worker that still gets the job finds that its task is no longer open.
    await engine.queues.remove(row.queue as QueueName, jobId, true).catch(() => undefined);
  }
}

/** Cancels the active child runs of a run that has ended. */
async function cancelChildren(engine: Engine, runId: string): Promise<void> {
  const children = await engine.db.$queryRaw<{ id: string }[]>`
    SELECT id FROM runs WHERE parent_run_id = ${runId} AND status IN (${ACTIVE_STATUSES})`;
  for (const { id } of children) await cancelRun(engine, id, { handOn: false });
}

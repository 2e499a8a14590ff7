import { Prisma } from '#db/client.js';
import { announce } from './announce.js';
import { dispatch } from './dispatch.js';
import type { Engine } from './engine.js';
import { CANCEL_CHANNEL, eventsCte } from './event-log.js';
import { taskJobId } from './jobs.js';
import { queueNames, type QueueName } from '#contracts/tasks.js';

/**
 * Cancels a run: first a row (the epoch rises, which fences its runner out), then a broadcast that aborts the model call
 * in flight, then the jobs of its tasks. Its place is given to a run that waits for one.
 *
 * @param handOn false: the caller dispatches
 * @returns false when the run had already ended
 */
export async function cancelRun(engine: Engine, runId: string, { handOn = true } = {}): Promise<boolean> {
  const error = { code: 'cancelled', message: 'The run was cancelled.' };
  const data = { status: 'cancelled', error };
  const events = [
    { type: 'run_status' as const, data, effectKey: 'ended' },
    { type: 'done' as const, data, effectKey: 'done' },
  ];
  const guard = Prisma.sql`status IN ('queued', 'running', 'waiting')`;
  const set = Prisma.sql`status = 'cancelled', epoch = epoch + 1, lease_until = NULL, finished_at = now(),
    error = ${JSON.stringify(error)}::jsonb,`;
  const rows = await engine.db.$queryRaw<{ id: string | null; queue: string; enqueues: number }[]>(Prisma.sql`
    WITH ${eventsCte(runId, events, guard, set)},
    stopped AS (
      UPDATE tasks SET status = 'cancelled', completed_at = now() FROM run_row
      WHERE tasks.run_id = run_row.id AND tasks.status = 'pending'
      RETURNING tasks.id, tasks.queue, tasks.enqueues
    ),
    broadcast AS (SELECT pg_notify(${CANCEL_CHANNEL}, id) FROM run_row)
    SELECT stopped.id, stopped.queue, stopped.enqueues
    FROM run_row LEFT JOIN stopped ON true, (SELECT count(*) FROM broadcast) b`);
  if (rows.length === 0) return false;
  announce(engine.db, runId);
  for (const row of rows) {
    if (row.id === null || !queueNames.includes(row.queue as QueueName)) continue;
    const jobId = taskJobId({ id: row.id, enqueues: row.enqueues });
    await engine.queues.remove(row.queue as QueueName, jobId).catch(() => undefined);
  }
  if (handOn) await dispatch(engine).catch(() => undefined);
  return true;
}

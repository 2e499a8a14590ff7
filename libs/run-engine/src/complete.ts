import type { NewRunEvent } from '#contracts/events.js';
import type { TaskResult } from '#contracts/tasks.js';
import { Prisma } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import { announce } from './announce.js';
import type { Engine } from './engine.js';
import { eventsCte } from './event-log.js';
import { advanceJob, taskJobId } from './jobs.js';

interface CompletedRow {
  run_id: string;
  queue: string;
  enqueues: number;
  epoch: number;
  open: number;
}

/**
 * The one door through which every result comes in, whether a machine, a timer or a person gives it: a conditional update,
 * the first answer wins (design: sentence 3, X3).
 *
 * @param by who answered: a queue's name, `deadline`, or a person's API key id
 * @returns false when the task was already done or cancelled; nothing was changed then
 */
export async function completeTask(
  engine: Engine,
  taskId: string,
  runId: string,
  result: TaskResult,
  by: string,
  event?: NewRunEvent,
): Promise<boolean> {
  const status = result.ok ? 'completed' : 'failed';
  const output = result.ok ? toJsonb(result.output) : null;
  const error = result.ok ? null : toJsonb(result.error);
  const rows = await engine.db.$statement<CompletedRow>(Prisma.sql`
    -- The run's row first, as in every other statement, so that none waits for another in a circle.
    WITH locked AS MATERIALIZED (SELECT id FROM runs WHERE id = ${runId} FOR NO KEY UPDATE),
    task AS (
      UPDATE tasks SET status = ${status}, output = ${output}::jsonb, error = ${error}::jsonb, completed_by = ${by},
        completed_at = now()
      WHERE id = ${taskId} AND run_id = (SELECT id FROM locked) AND status = 'pending'
      RETURNING id, queue, enqueues, name, node
    ),
    ${eventsCte(runId, event ? [event] : [], Prisma.sql`EXISTS (SELECT 1 FROM task)`)}
    SELECT run_row.id AS run_id, task.queue, task.enqueues, run_row.epoch,
      (SELECT count(*)::int FROM tasks t WHERE t.run_id = ${runId} AND t.status = 'pending' AND t.id <> ${taskId}) AS open
    FROM task, run_row`);
  const row = rows[0];
  if (!row) return false;
  if (event) announce(engine.db, runId);
  if (row.queue === 'human-input') await wake(engine, taskId, row);
  return true;
}

/**
 * After a person's answer. When nothing else is open, the run goes on at once; the delayed job is then of no use. Else it is
 * made ready, so that its parent no longer waits for it.
 */
async function wake(engine: Engine, taskId: string, row: CompletedRow): Promise<void> {
  const jobId = taskJobId({ id: taskId, enqueues: row.enqueues });
  try {
    if (row.open > 0) {
      await engine.queues.promote('human-input', jobId);
      return;
    }
    await engine.queues.add(advanceJob(row.run_id, row.epoch, Date.now()));
    await engine.queues.remove('human-input', jobId);
  } catch (error) {
    engine.log.warn({ err: error, run_id: row.run_id }, 'answer kept; the reconciler will wake the run');
  }
}

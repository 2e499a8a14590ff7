import type { NewRunEvent } from '#catalogue/events.js';
import type { TaskResult } from '#catalogue/tasks.js';
import { Prisma } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import type { SendStatement } from '#db/statements.js';
import { announce, eventsCte } from '../runs/event-log.js';
import type { Engine } from '../engine.js';
import { advanceJob, withLanePriority, taskJobId } from '../queue/dispatch.js';

/**
 * Result of a task with its event. `by` is a queue's name, `deadline`, an API key's ID or the ID of a child
 * run.
 */
export interface Completion {
  taskId: string;
  runId: string;
  result: TaskResult;
  by: string;
  event: NewRunEvent;
  /** Extra condition on `tasks`. */
  condition?: Prisma.Sql;
  /** CTEs that read `task` and run in the same statement; each ends in a comma. */
  alongside?: Prisma.Sql;
}

interface CompletedRow {
  run_id: string;
  queue: string;
  enqueues: number;
  epoch: number;
  express: boolean;
  open: number;
  /** Absent for a worker's result. */
  completed_at?: Date;
}

/** Returns the assignments that store a result in its task's row. */
function resultSet(result: TaskResult, by: string): Prisma.Sql {
  const status = result.ok ? 'completed' : 'failed';
  const output = result.ok ? toJsonb(result.output) : null;
  const error = result.ok ? null : toJsonb(result.error);
  return Prisma.sql`status = ${status}, output = ${output}::jsonb, error = ${error}::jsonb, completed_by = ${by}, completed_at = now()`;
}

/** Returns an expression that counts the run's other pending tasks. */
const openBeside = (taskId: string, runId: string) => Prisma.sql`
  (SELECT count(*)::int FROM tasks t WHERE t.run_id = ${runId} AND t.status = 'pending' AND t.id <> ${taskId}) AS open`;

/**
 * Stores a worker's result. The first result for a task wins (X3), whether it is this one, or that of
 * a deadline, a person or a child run (`writeCompletion`).
 * Updates only the task's row, so that tasks of a run that end at the same time do not wait for each other; the queue
 * detects the last one.
 *
 * @param by a queue's name, `deadline`, or an API key's ID
 * @returns false if the task was already done or cancelled; nothing was changed then
 */
export async function completeTask(
  engine: Engine,
  taskId: string,
  runId: string,
  result: TaskResult,
  by: string,
): Promise<boolean> {
  const [row] = await engine.db.$statement<CompletedRow>(Prisma.sql`
    /* complete task */ WITH task AS (
      UPDATE tasks SET ${resultSet(result, by)} WHERE id = ${taskId} AND run_id = ${runId} AND status = 'pending'
      RETURNING run_id, queue, enqueues
    )
    SELECT task.*, runs.epoch, runs.express, ${openBeside(taskId, runId)} FROM task JOIN runs ON runs.id = task.run_id`);
  if (!row) return false;
  await afterCompletion(engine, taskId, row);
  return true;
}

/**
 * Gives a run that a person or a child run lets continue a place in the express lane, if its tenant has one
 * left.
 */
const TO_EXPRESS = Prisma.sql`express = express OR express_free(tenant_id),`;

/**
 * Stores a result with its event in one statement; returns null if the task is not pending or the condition
 * is false.
 */
export async function writeCompletion(
  send: SendStatement,
  { taskId, runId, result, by, event, condition, alongside }: Completion,
): Promise<CompletedRow | null> {
  const rows = await send<CompletedRow>(Prisma.sql`
    /* complete task */
    -- Lock the run's row first, as every other statement does, to prevent deadlocks.
    WITH locked AS MATERIALIZED (SELECT id FROM runs WHERE id = ${runId} FOR NO KEY UPDATE),
    task AS (
      UPDATE tasks SET ${resultSet(result, by)}
      WHERE id = ${taskId} AND run_id = (SELECT id FROM locked) AND status = 'pending' AND ${condition ?? Prisma.sql`true`}
      RETURNING id, tenant_id, queue, enqueues, name, node, output, completed_at
    ),
    ${alongside ?? Prisma.empty}
    ${eventsCte(runId, [event], Prisma.sql`EXISTS (SELECT 1 FROM task)`, TO_EXPRESS)}
    SELECT run_row.id AS run_id, task.queue, task.enqueues, task.completed_at, run_row.epoch, run_row.express, ${openBeside(taskId, runId)}
    FROM task, run_row`);
  return rows[0] ?? null;
}

/** Runs after a completion is committed: an answer, or the end of a child run, lets the run continue. */
export async function afterCompletion(engine: Engine, taskId: string, row: CompletedRow): Promise<void> {
  const isChild = row.queue === 'agent-runner';
  if (row.queue !== 'human-input' && !isChild) return;
  announce(engine.db, row.run_id);
  await wake(engine, taskId, row, isChild);
}

/**
 * Checks for pending tasks after the commit. A child's end waits for the lock on the run's row and sees only
 * what was committed before it began to wait, so two children that end at the same moment each count the
 * other as pending.
 */
async function isAnyOpen({ db }: Engine, runId: string): Promise<boolean> {
  const [row] = await db.$statement<{ any: boolean }>(Prisma.sql`
    SELECT EXISTS (SELECT 1 FROM tasks WHERE run_id = ${runId} AND status = 'pending') AS any`);
  return row!.any;
}

/**
 * Continues a run after an answer or the end of a child. If no other task is pending, adds the next `advance`
 * job and removes the flow of an answered decision, whose parent would begin a stale leg. Otherwise promotes the
 * decision's job, so that its parent no longer waits for it.
 */
async function wake(engine: Engine, taskId: string, row: CompletedRow, isChild: boolean): Promise<void> {
  const jobId = taskJobId({ id: taskId, enqueues: row.enqueues });
  try {
    if (row.open > 0 && !isChild) {
      await engine.queues.promote('human-input', jobId);
      return;
    }
    if (row.open > 0 && (await isAnyOpen(engine, row.run_id))) return;
    await engine.queues.add(withLanePriority(advanceJob(row.run_id, row.epoch, Date.now()), row.express));
    if (!isChild) await engine.queues.remove('human-input', jobId, true);
  } catch (error) {
    engine.log.warn({ err: error, run_id: row.run_id }, 'answer stored; the reconciler will resume the run');
  }
}

import type { NewRunEvent } from '#contracts/events.js';
import type { TaskResult } from '#contracts/tasks.js';
import { Prisma } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import type { SendStatement } from '#db/statements.js';
import { announce } from './announce.js';
import type { Engine } from './engine.js';
import { eventsCte } from './event-log.js';
import { advanceJob, withLanePriority, taskJobId } from './jobs.js';

/** The result of a task, and who gave it: a queue's name, `deadline`, or a person's API key id. */
export interface Completion {
  taskId: string;
  runId: string;
  result: TaskResult;
  by: string;
  event: NewRunEvent;
  /** A further condition on `tasks` that must hold. */
  condition?: Prisma.Sql;
  /** Statements that are done with it, as common table expressions that read `task`; each ends in a comma. */
  alongside?: Prisma.Sql;
}

export interface CompletedRow {
  run_id: string;
  queue: string;
  enqueues: number;
  epoch: number;
  express: boolean;
  open: number;
}

/** What a result sets in its task's row. */
function resultSet(result: TaskResult, by: string): Prisma.Sql {
  const status = result.ok ? 'completed' : 'failed';
  const output = result.ok ? toJsonb(result.output) : null;
  const error = result.ok ? null : toJsonb(result.error);
  return Prisma.sql`status = ${status}, output = ${output}::jsonb, error = ${error}::jsonb, completed_by = ${by}, completed_at = now()`;
}

/** The tasks of a run that are open besides the given one. */
const openBeside = (taskId: string, runId: string) => Prisma.sql`
  (SELECT count(*)::int FROM tasks t WHERE t.run_id = ${runId} AND t.status = 'pending' AND t.id <> ${taskId}) AS open`;

/**
 * The one door through which every result comes in, whether a machine, a timer or a person gives it: a conditional update,
 * the first answer wins (X3). This is the way of workers: it touches the task's row alone, so that tasks of a run that end
 * at the same time do not wait for each other; the queue notices which of them was the last.
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

/** A run that a person lets go on takes a place in the express lane when its tenant has one left. */
const TO_EXPRESS = Prisma.sql`express = express OR express_free(tenant_id),`;

/** Writes a result with its event, in one statement; null when the task is not open or the condition does not hold. */
export async function writeCompletion(
  send: SendStatement,
  { taskId, runId, result, by, event, condition, alongside }: Completion,
): Promise<CompletedRow | null> {
  const rows = await send<CompletedRow>(Prisma.sql`
    /* complete task */
    -- The run's row first, as in every other statement, so that none waits for another in a circle.
    WITH locked AS MATERIALIZED (SELECT id FROM runs WHERE id = ${runId} FOR NO KEY UPDATE),
    task AS (
      UPDATE tasks SET ${resultSet(result, by)}
      WHERE id = ${taskId} AND run_id = (SELECT id FROM locked) AND status = 'pending' AND ${condition ?? Prisma.sql`true`}
      RETURNING id, tenant_id, queue, enqueues, name, node, output
    ),
    ${alongside ?? Prisma.empty}
    ${eventsCte(runId, [event], Prisma.sql`EXISTS (SELECT 1 FROM task)`, TO_EXPRESS)}
    SELECT run_row.id AS run_id, task.queue, task.enqueues, run_row.epoch, run_row.express, ${openBeside(taskId, runId)}
    FROM task, run_row`);
  return rows[0] ?? null;
}

/** What follows a completion once it is committed: a person's answer, or the end of a child run, lets the run go on. */
export async function afterCompletion(engine: Engine, taskId: string, row: CompletedRow): Promise<void> {
  const isChild = row.queue === 'agent-runner';
  if (row.queue !== 'human-input' && !isChild) return;
  announce(engine.db, row.run_id);
  await wake(engine, taskId, row, isChild);
}

/**
 * Counts again once the completion is committed. The end of a child waits for the run's row, and sees what was committed before it began to wait:
 * of two children that end at the same moment, each counts the other as open.
 */
async function isAnyOpen({ db }: Engine, runId: string): Promise<boolean> {
  const [row] = await db.$statement<{ any: boolean }>(Prisma.sql`
    SELECT EXISTS (SELECT 1 FROM tasks WHERE run_id = ${runId} AND status = 'pending') AS any`);
  return row!.any;
}

/**
 * After a person's answer or the end of a child. When nothing else is open, the run goes on at once; the delayed job is then of no use. Else it is
 * made ready, so that its parent no longer waits for it.
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
    if (!isChild) await engine.queues.remove('human-input', jobId);
  } catch (error) {
    engine.log.warn({ err: error, run_id: row.run_id }, 'answer kept; the reconciler will wake the run');
  }
}

import type { TaskName } from '#contracts/tasks.js';
import { Prisma } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import type { Engine } from './engine.js';
import type { ReadWriteLock } from './read-write-lock.js';

/** Times a task may be begun without an end before it counts as poison: it kills every worker that does it. */
export const MAX_UNFINISHED = 5;

/** Seconds after which a task whose worker gave no sign of life is given to another; longer than the queue itself takes. */
export const TASK_LEASE_SECONDS = 30;
const RENEWAL_MS = 10_000;

export interface TaskRow {
  id: string;
  name: TaskName;
  run_id: string;
  tenant_id: string;
  session_id: string;
  input: unknown;
  attempts: number;
  /** Attempts that began and of which nothing more was heard, this one included. */
  unfinished: number;
  traceparent: string | null;
}

/** An attempt that may go on; `leave` lets others run again. */
export interface Attempt {
  task: TaskRow;
  leave: () => void;
}

/**
 * Counts an attempt and reads the task. A task that may have killed its worker is done alone from then on, so that it takes
 * no neighbour along, and its next death is its own.
 *
 * @returns null when there is nothing (more) to do
 */
export async function beginAttempt(
  engine: Engine,
  lock: ReadWriteLock,
  taskId: string,
): Promise<Attempt | null> {
  const leave = await lock.enter('together');
  const attempt = await begin(engine, taskId, leave);
  const unfinished = attempt?.task.unfinished ?? 0;
  if (!attempt || unfinished === 1 || unfinished > MAX_UNFINISHED) return attempt;
  await endAttempt(engine, taskId, true).finally(leave);
  return begin(engine, taskId, await lock.enter('alone'));
}

async function begin({ db }: Engine, taskId: string, leave: () => void): Promise<Attempt | null> {
  try {
    const [task] = await db.$statement<TaskRow>(Prisma.sql`
      /* begin attempt */ UPDATE tasks SET attempts = attempts + 1, unfinished = unfinished + 1,
        lease_until = now() + make_interval(secs => ${TASK_LEASE_SECONDS}) FROM runs
      WHERE tasks.id = ${taskId} AND tasks.status = 'pending' AND runs.id = tasks.run_id
      RETURNING tasks.id, tasks.name, tasks.run_id, tasks.tenant_id, runs.session_id, tasks.input, tasks.attempts,
        tasks.unfinished, tasks.traceparent`);
    if (task) return { task, leave };
  } catch (error) {
    leave();
    throw error;
  }
  leave();
  return null;
}

/** The task is not open any more: its run was cancelled, or another worker completed it. */
export class TaskOverError extends Error {
  override readonly name = 'TaskOverError';
}

/** A task whose lease a worker renews. */
export interface HeldTask {
  /** Aborts with a TaskOverError once the task is not open any more. */
  signal: AbortSignal;
  letGo(): void;
}

/** Renews the lease of a task that this worker has, also while it waits for its turn. */
export function startTaskLeaseRenewal({ db }: Engine, taskId: string, renewalMs = RENEWAL_MS): HeldTask {
  const over = new AbortController();
  const renew = async () => {
    const renewed = await db.$executeRaw`
      /* renew task */ UPDATE tasks SET lease_until = now() + make_interval(secs => ${TASK_LEASE_SECONDS})
      WHERE id = ${taskId} AND status = 'pending'`;
    if (renewed === 0) over.abort(new TaskOverError('The task is not open any more'));
  };
  // A lease that cannot be renewed for long is taken over; then the first result counts.
  const timer = setInterval(() => void renew().catch(() => undefined), renewalMs).unref();
  return { signal: over.signal, letGo: () => clearInterval(timer) };
}

/**
 * Records that the call of a task is about to be sent. A call that was recorded before may have taken effect.
 *
 * @returns false when it was recorded before, or the task is not open any more
 */
export async function recordCall({ db }: Pick<Engine, 'db'>, taskId: string): Promise<boolean> {
  const recorded = await db.$executeRaw`
    /* record call */ UPDATE tasks SET called_at = now() WHERE id = ${taskId} AND status = 'pending' AND called_at IS NULL`;
  return recorded === 1;
}

/**
 * An attempt came to an end without a result: it killed nobody.
 *
 * @param isForgiven it does not count, because a database or store was away
 * @param error what the task waits for; null when that is nothing but its next attempt
 */
export async function endAttempt(
  { db }: Engine,
  taskId: string,
  isForgiven: boolean,
  error: { code: string; message: string } | null = null,
): Promise<void> {
  await db.$executeRaw`
    /* end attempt */ UPDATE tasks SET lease_until = NULL, unfinished = greatest(unfinished - 1, 0),
      attempts = greatest(attempts - ${isForgiven ? 1 : 0}, 0), error = ${error && toJsonb(error)}::jsonb
    WHERE id = ${taskId} AND status = 'pending'`;
}

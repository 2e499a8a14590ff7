import type { TaskName } from '#contracts/tasks.js';
import { Prisma } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import type { Engine } from '../engine.js';
import type { ReadWriteLock } from '../runs/read-write-lock.js';

/** Unfinished attempts after which a task counts as poisoned: it kills every worker that executes it. */
export const MAX_UNFINISHED = 5;

/**
 * Seconds without a renewal after which a task goes to another worker; longer than the queue itself needs.
 */
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
  /** Attempts that began but have not ended, including this one. */
  unfinished: number;
  traceparent: string | null;
}

/** An attempt that may proceed; `leave` lets waiting tasks run. */
interface Attempt {
  task: TaskRow;
  leave: () => void;
}

/**
 * Counts an attempt and reads the task. A task that may have killed its worker runs alone from then on, so
 * that it cannot kill other tasks with the process, and a further death is clearly its own.
 *
 * @returns null if the task is not pending (any more)
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

/** The task is no longer pending: its run was cancelled, or another worker completed it. */
export class TaskOverError extends Error {
  override readonly name = 'TaskOverError';
}

interface LeasedTask {
  /** Aborts with a TaskOverError once the task is no longer pending. */
  signal: AbortSignal;
  stopRenewal(): void;
}

/** Renews a task's lease until `stopRenewal`, also while the task waits for its turn. */
export function startTaskLeaseRenewal({ db }: Engine, taskId: string, renewalMs = RENEWAL_MS): LeasedTask {
  const over = new AbortController();
  const renew = async () => {
    const renewed = await db.$executeRaw`
      /* renew task */ UPDATE tasks SET lease_until = now() + make_interval(secs => ${TASK_LEASE_SECONDS})
      WHERE id = ${taskId} AND status = 'pending'`;
    if (renewed === 0) over.abort(new TaskOverError('The task is no longer open'));
  };
  // If renewal fails for too long, another worker takes the task; the first result counts.
  const timer = setInterval(() => void renew().catch(() => undefined), renewalMs).unref();
  return { signal: over.signal, stopRenewal: () => clearInterval(timer) };
}

/**
 * Records that a task's external call is about to be sent. A call that was recorded before may have taken effect.
 *
 * @returns false if it was recorded before, or the task is no longer pending
 */
export async function recordCall({ db }: Pick<Engine, 'db'>, taskId: string): Promise<boolean> {
  const recorded = await db.$executeRaw`
    /* record call */ UPDATE tasks SET called_at = now() WHERE id = ${taskId} AND status = 'pending' AND called_at IS NULL`;
  return recorded === 1;
}

/**
 * Records that an attempt ended without a result and did not kill its worker.
 *
 * @param isForgiven true if the attempt does not count, because a database or store was unavailable
 * @param error the outage that the task waits for; null if it only waits for its next attempt
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

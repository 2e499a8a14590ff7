import { detailOf, messageOf } from '#contracts/phrases/detail.js';
import { englishText, phrase } from '#contracts/phrases/phrase.js';
import { isOver, timeLimit } from '#contracts/wait.js';
import { taskJobSchema, type QueueName } from '#contracts/queues.js';
import { tasks, type TaskInput, type TaskName } from '#catalogue/tasks.js';
import { DeadLetter, JobReleasedError, JobPostponedError, type JobProcessor } from '../queue/job-worker.js';
import { TaskFailure, type HandlerMap, type TaskContext } from '../queue/task-handler.js';
import { StorageUnavailableError } from '#storage/object-store.js';
import { processMetrics } from '#telemetry/metrics.js';
import { inSpan, SpanKind } from '#telemetry/tracing.js';
import { completeTask } from './complete.js';
import type { Engine } from '../engine.js';
import { databaseCause, withDatabaseCause, isOutage } from '../recovery/outage.js';
import { KeyedSemaphore, ReadWriteLock } from './locks.js';
import { Prisma } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';

/** Seconds that a task waits for a worker with a handler for it. */
const NO_WORKER_TIMEOUT_SECONDS = 1_800;

/**
 * Processes the tasks of a queue and passes each result to `completeTask`. Skips a task that is already done
 * or cancelled. Aborts a running task if its run is cancelled.
 *
 * @param renewalMs interval of the lease renewal, which also checks whether the task is still pending
 */
export function taskProcessor(
  engine: Engine,
  queue: QueueName,
  handlers: HandlerMap,
  unservedSeconds = NO_WORKER_TIMEOUT_SECONDS,
  renewalMs?: number,
): JobProcessor {
  const lock = new ReadWriteLock();
  const process: JobProcessor['process'] = async (job, signal) => {
    const { task_id, run_id } = taskJobSchema.parse(job.data);
    if (!handlers.has(job.name as TaskName))
      return releaseTask(
        engine,
        queue,
        { task_id, run_id, name: job.name, since: job.timestamp },
        unservedSeconds,
      );
    const lease = startTaskLeaseRenewal(engine, task_id, renewalMs);
    try {
      const attempt = await beginAttempt(engine, lock, task_id);
      if (!attempt) return;
      const { task, leave } = attempt;
      const isPoison = task.unfinished > MAX_UNFINISHED;
      const done = isPoison
        ? failPoisonedTask(engine, queue, task)
        : runTask(engine, queue, handlers, task, AbortSignal.any([signal, lease.signal]));
      await done.finally(leave);
    } finally {
      lease.stopRenewal();
    }
  };
  return { process };
}

/** Releases a newer release's task for a worker that has a handler; fails it if none takes it in time. */
async function releaseTask(
  engine: Engine,
  queue: QueueName,
  { task_id, run_id, name, since }: { task_id: string; run_id: string; name: string; since: number },
  unservedSeconds: number,
): Promise<void> {
  const waitedMs = Date.now() - since;
  if (waitedMs < unservedSeconds * 1_000) {
    engine.log.warn({ run_id, task: name }, 'no handler; released the task for a worker that has one');
    throw new JobPostponedError(Math.round(Math.min(30_000, 500 + waitedMs / 4)));
  }
  const error = {
    code: 'unknown_task',
    ...messageOf(phrase('run_error.unknown_task', { queue, task: name })),
  };
  await completeTask(engine, task_id, run_id, { ok: false, error }, queue);
}

/** Fails a task that kills its workers; its job stays in the dead letters for the operator. */
async function failPoisonedTask(engine: Engine, queue: QueueName, task: TaskRow): Promise<never> {
  const failure = messageOf(phrase('run_error.task_poisoned', { task: task.name, times: MAX_UNFINISHED }));
  const error = { code: 'task_poisoned', ...failure };
  engine.log.error(
    { run_id: task.run_id, tenant_id: task.tenant_id, task: task.name },
    'task failed permanently: it keeps crashing its worker',
  );
  await completeTask(engine, task.id, task.run_id, { ok: false, error }, queue);
  throw new DeadLetter(`task_poisoned: ${failure.message}`);
}

async function runTask(
  engine: Engine,
  queue: QueueName,
  handlers: HandlerMap,
  task: TaskRow,
  signal: AbortSignal,
): Promise<void> {
  const fields = { run_id: task.run_id, tenant_id: task.tenant_id, task: task.name, attempt: task.attempts };
  const { timeoutMs, attempts } = tasks[task.name];
  const context: TaskContext = {
    taskId: task.id,
    runId: task.run_id,
    tenantId: task.tenant_id,
    sessionId: task.session_id,
    signal: timeLimit(timeoutMs, signal),
  };
  const start = performance.now();
  let outcome: 'done' | 'failed' | 'retried' | 'over' = 'retried';
  try {
    const input = tasks[task.name].input.parse(task.input) as TaskInput<TaskName>;
    const output = await inSpan(`task ${task.name}`, spanOf(task, queue), () =>
      untilAborted(handlers.get(task.name)!.handle(input, context), context.signal),
    );
    const parsed = tasks[task.name].output.parse(output) as Record<string, unknown>;
    await completeTask(engine, task.id, task.run_id, { ok: true, output: parsed }, queue);
    outcome = 'done';
    engine.log.info(fields, 'task done');
  } catch (error) {
    if (error instanceof TaskOverError) {
      outcome = 'over';
      engine.log.info(fields, 'task aborted: it is no longer pending');
      return;
    }
    const failure = error instanceof TaskFailure;
    engine.log[failure ? 'warn' : 'error']({ ...fields, err: error }, 'task attempt failed');
    // Outages and worker shutdowns do not count against the task.
    const wasAway = !failure && (isOutage(error) || error instanceof JobReleasedError);
    const isLast = failure || task.attempts >= attempts || (isOver(context.signal) && task.attempts > 1);
    if (wasAway || !isLast) {
      // If this write fails, the only cost is that the next attempt runs alone.
      await endAttempt(engine, task.id, wasAway, awaited(error)).catch(() => undefined);
      throw error;
    }
    const code = failure ? error.code : isOver(context.signal) ? 'task_timeout' : 'task_failed';
    const detail = failure
      ? detailOf(error)
      : withDatabaseCause(
          phrase('run_error.task_failed', { task: task.name, attempts: task.attempts }),
          error,
        );
    const result = { ok: false as const, error: { code, ...messageOf(detail) } };
    await completeTask(engine, task.id, task.run_id, result, queue);
    outcome = 'failed';
  } finally {
    processMetrics.taskSeconds.observe({ task: task.name, outcome }, (performance.now() - start) / 1000);
  }
}

/** Returns the outage that a task waits for; operators see it in the list of stuck runs. */
function awaited(error: unknown): { code: string; message: string } | null {
  if (error instanceof StorageUnavailableError) return { code: error.code, message: error.message };
  const cause = isOutage(error) ? databaseCause(error) : null;
  return cause && { code: 'database_unavailable', message: englishText(cause) };
}

function spanOf(task: TaskRow, queue: QueueName) {
  const attributes = {
    'scriptorium.task_id': task.id,
    'scriptorium.run_id': task.run_id,
    'scriptorium.tenant_id': task.tenant_id,
    'scriptorium.queue': queue,
    'scriptorium.attempt': task.attempts,
  };
  return { kind: SpanKind.CONSUMER, attributes, parent: task.traceparent };
}

/** Rejects as soon as the signal aborts, even if the handler does not listen to it. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Unfinished attempts after which a task counts as poisoned: it kills every worker that executes it. */
export const MAX_UNFINISHED = 5;

/**
 * Seconds without a renewal after which a task goes to another worker; longer than the queue itself needs.
 */
export const TASK_LEASE_SECONDS = 30;
const RENEWAL_MS = 10_000;

interface TaskRow {
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
async function beginAttempt(engine: Engine, lock: ReadWriteLock, taskId: string): Promise<Attempt | null> {
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
class TaskOverError extends Error {
  override readonly name = 'TaskOverError';
}

interface LeasedTask {
  /** Aborts with a TaskOverError once the task is no longer pending. */
  signal: AbortSignal;
  stopRenewal(): void;
}

/** Renews a task's lease until `stopRenewal`, also while the task waits for its turn. */
function startTaskLeaseRenewal({ db }: Engine, taskId: string, renewalMs = RENEWAL_MS): LeasedTask {
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
async function endAttempt(
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

/** Places of a worker that one tenant alone cannot occupy. */
export const RESERVED_PLACES = 3;
/** Average wait in ms of a task over its tenant's limit. Its place then serves the next task of the queue. */
const WAIT_MS = 60;
/** The wait already bounds how often a task returns to its queue. */
const DELAY_MS = 1;
/** Turns that a task over the limit lets pass, because tasks of other tenants may be behind it. */
const TURNS = 3;

/**
 * Limits the concurrent tasks of each tenant, so that the places above the limit serve other tenants during a
 * flood. A task over the limit waits for a place of its tenant. It returns to its queue, some turns later, after a
 * while, or as soon as another tenant's task arrives, because that tenant may have more tasks in the queue.
 *
 * @param limit concurrent tasks of one tenant
 * @param waitMs average wait; it varies, so that the reserved places do not all wait at the same time
 */
export function limitTenants(processor: JobProcessor, limit: number, waitMs = WAIT_MS): JobProcessor {
  const places = new KeyedSemaphore(limit);
  const waiting = new Map<AbortController, string>();
  const postpone = (controller: AbortController) => controller.abort(new JobPostponedError(DELAY_MS, TURNS));
  const begin = (controller: AbortController, tenant: string) => {
    waiting.delete(controller);
    for (const [other, itsTenant] of waiting) if (itsTenant !== tenant) postpone(other);
  };
  return {
    process: async (job, signal) => {
      const { tenant_id, run_id } = taskJobSchema.parse(job.data);
      const tenant = tenant_id ?? run_id;
      const controller = new AbortController();
      if (!places.isFree(tenant)) waiting.set(controller, tenant);
      const timer = setTimeout(() => postpone(controller), waitMs * (0.5 + Math.random()));
      try {
        await places.within(tenant, AbortSignal.any([signal, controller.signal]), () => {
          clearTimeout(timer);
          begin(controller, tenant);
          return processor.process(job, signal);
        });
      } finally {
        clearTimeout(timer);
        waiting.delete(controller);
      }
    },
    onStop: () => processor.onStop?.(),
  };
}

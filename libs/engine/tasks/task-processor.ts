import { detailOf, messageOf } from '#contracts/phrases/detail.js';
import { englishText, phrase } from '#contracts/phrases/phrase.js';
import { isOver, timeLimit } from '#contracts/wait.js';
import { taskJobSchema } from '#contracts/jobs.js';
import { tasks, type TaskInput, type TaskName } from '#contracts/tasks.js';
import type { QueueName } from '#contracts/queues.js';
import { DeadLetter, JobReleasedError, JobPostponedError, type JobProcessor } from '../queue/job-worker.js';
import { TaskFailure, type HandlerMap, type TaskContext } from '../queue/task-handler.js';
import { StorageUnavailableError } from '#storage/object-store.js';
import { processMetrics } from '#telemetry/metrics.js';
import { inSpan, SpanKind } from '#telemetry/tracing.js';
import { completeTask } from './complete.js';
import type { Engine } from '../engine.js';
import { databaseCause, withDatabaseCause } from '../recovery/database-cause.js';
import { isOutage } from '../recovery/outage.js';
import {
  beginAttempt,
  endAttempt,
  startTaskLeaseRenewal,
  MAX_UNFINISHED,
  TaskOverError,
  type TaskRow,
} from './task-attempts.js';
import { ReadWriteLock } from '../runs/read-write-lock.js';

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

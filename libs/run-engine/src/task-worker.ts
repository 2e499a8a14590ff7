import { taskJobSchema } from '#contracts/jobs.js';
import { Prisma } from '#db/client.js';
import { tasks, type QueueName, type TaskInput, type TaskName } from '#contracts/tasks.js';
import type { Job, JobWorker } from '#queue/job-queues.js';
import { TaskFailure, type HandlerMap, type TaskContext } from '#queue/task-handler.js';
import { processMetrics } from '#telemetry/metrics.js';
import { inSpan, SpanKind } from '#telemetry/tracing.js';
import { completeTask } from './complete.js';
import type { Engine } from './engine.js';
import { isOutage } from './outage.js';

interface TaskRow {
  id: string;
  name: TaskName;
  run_id: string;
  tenant_id: string;
  session_id: string;
  input: unknown;
  attempts: number;
  traceparent: string | null;
}

/**
 * Starts a worker that does the tasks of a queue and hands each result to `completeTask`. A task that is delivered
 * twice, or after its run was cancelled, is not done again.
 */
export function startTaskWorker(
  engine: Engine,
  queue: QueueName,
  handlers: HandlerMap,
  concurrency: number,
): JobWorker {
  return engine.queues.work(queue, (job, signal) => runTask(engine, queue, handlers, job, signal), {
    concurrency,
  });
}

/** Counts the attempt and reads the task; null when there is nothing (more) to do. */
async function beginAttempt({ db }: Engine, taskId: string): Promise<TaskRow | null> {
  const rows = await db.$statement<TaskRow>(Prisma.sql`
    /* begin attempt */ UPDATE tasks SET attempts = attempts + 1 FROM runs
    WHERE tasks.id = ${taskId} AND tasks.status = 'pending' AND runs.id = tasks.run_id
    RETURNING tasks.id, tasks.name, tasks.run_id, tasks.tenant_id, runs.session_id, tasks.input, tasks.attempts, tasks.traceparent`);
  return rows[0] ?? null;
}

async function runTask(
  engine: Engine,
  queue: QueueName,
  handlers: HandlerMap,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { task_id } = taskJobSchema.parse(job.data);
  const task = await beginAttempt(engine, task_id);
  if (!task) return;
  const fields = { run_id: task.run_id, tenant_id: task.tenant_id, task: task.name, attempt: task.attempts };
  const { timeoutMs, attempts } = tasks[task.name];
  const timeout = AbortSignal.timeout(timeoutMs);
  const context: TaskContext = {
    taskId: task.id,
    runId: task.run_id,
    tenantId: task.tenant_id,
    sessionId: task.session_id,
    signal: AbortSignal.any([signal, timeout]),
  };
  const start = performance.now();
  let outcome: 'done' | 'failed' | 'retried' = 'retried';
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
    const failure = error instanceof TaskFailure;
    engine.log[failure ? 'warn' : 'error']({ ...fields, err: error }, 'task attempt failed');
    if (!failure && isOutage(error)) {
      await forgetAttempt(engine, task.id);
      throw error;
    }
    if (!failure && task.attempts < attempts && !(timeout.aborted && task.attempts > 1)) throw error;
    const code = failure ? error.code : timeout.aborted ? 'task_timeout' : 'task_failed';
    const message = failure
      ? error.message
      : `The task ${task.name} did not succeed after ${task.attempts} attempts.`;
    await completeTask(engine, task.id, task.run_id, { ok: false, error: { code, message } }, queue);
    outcome = 'failed';
  } finally {
    processMetrics.taskSeconds.observe({ task: task.name, outcome }, (performance.now() - start) / 1000);
  }
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

/** A database or store that was away is not held against the task. */
async function forgetAttempt({ db }: Engine, taskId: string): Promise<void> {
  await db.$executeRaw`
    /* forget attempt */ UPDATE tasks SET attempts = attempts - 1 WHERE id = ${taskId} AND status = 'pending' AND attempts > 0`.catch(
    () => undefined,
  );
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

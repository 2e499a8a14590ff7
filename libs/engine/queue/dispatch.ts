import { Prisma } from '#db/client.js';
import { ASYNC_COMMIT } from '#db/async-commit.js';
import { asService } from '#db/tenant-scope.js';
import type { Engine } from '../engine.js';
import type { QueueName } from '#contracts/queues.js';
import { tasks, type TaskName } from '#catalogue/tasks.js';
import type { TaskDefinition } from '#contracts/run-kind.js';
import type { JobSpec } from './job-queues.js';
import { LAST_PRIORITY } from './job-worker.js';

/** Maximum attempts of a task that this release does not know. */
const UNKNOWN_TASK_ATTEMPTS = 3;

/** The columns of a task that its job needs. */
export interface TaskJobFacts {
  id: string;
  run_id: string;
  tenant_id: string;
  name: string;
  queue: QueueName;
  enqueues: number;
  deadline: Date | null;
  /** Place in the queue; null for questions, and for tasks of an older release. */
  turn: number | null;
}

/**
 * Returns the job that advances a run. Its ID contains the epoch: each leg has a new job, and a late one is
 * stale.
 *
 * @param again suffix for a repeated job, because the first may be lost or have failed
 */
export function advanceJob(runId: string, epoch: number, again?: number): JobSpec {
  return {
    queue: 'agent-runner',
    name: 'advance',
    data: { v: 1, run_id: runId, epoch },
    jobId: `${runId}.${epoch}${again === undefined ? '' : `.${again}`}`,
  };
}

/** BullMQ processes jobs without a priority first, then the lowest number. */
const RELEASED_RUN_PRIORITY = 1;
const COMMON_PRIORITY = 2;
const withPriority = (job: JobSpec, priority: number): JobSpec => ({
  ...job,
  options: { ...job.options, priority },
});

/**
 * Sets the priority of the job that advances a run by the run's lane. Those in the express lane come first, so a
 * tenant's first runs overtake the backlog of another tenant.
 */
export function withLanePriority(job: JobSpec, express: boolean): JobSpec {
  return express ? job : withPriority(job, COMMON_PRIORITY);
}

/**
 * Returns the job that continues a run released in the middle of a leg; it comes right after the express
 * lane.
 */
export function releasedRunJob(runId: string, epoch: number, express: boolean): JobSpec {
  const job = advanceJob(runId, epoch);
  return express ? job : withPriority(job, RELEASED_RUN_PRIORITY);
}

/**
 * Returns the job ID of a task. It contains the number of enqueues, because the ID of a failed job cannot be
 * added again.
 */
export function taskJobId(task: Pick<TaskJobFacts, 'id' | 'enqueues'>): string {
  return `${task.id}.${task.enqueues}`;
}

/**
 * Returns the job of a task; the job of a decision is delayed until its deadline. Jobs of tasks are processed by turn
 * (SQL function `task_turns`), so that tenants share a worker by tasks and bytes.
 */
export function taskJob(task: TaskJobFacts): JobSpec {
  // Tasks of a newer release, which are not in the catalogue, are also enqueued.
  const definition = tasks[task.name as TaskName] as TaskDefinition | undefined;
  const delay = task.deadline === null ? undefined : Math.max(0, task.deadline.getTime() - Date.now());
  return {
    queue: task.queue,
    name: task.name,
    data: { v: 1, run_id: task.run_id, task_id: task.id, tenant_id: task.tenant_id },
    jobId: taskJobId(task),
    options: {
      attempts: definition?.attempts ?? UNKNOWN_TASK_ATTEMPTS,
      backoff: { type: 'exponential', delay: 500 },
      ...(delay === undefined ? {} : { delay }),
      ...(task.turn === null ? {} : { priority: Math.min(1 + Math.floor(task.turn), LAST_PRIORITY) }),
    },
  };
}

interface Dispatching {
  current: Promise<number>;
  next: Promise<number> | null;
}

const dispatching = new WeakMap<Engine['db'], Dispatching>();

/**
 * Hands queued runs to the runners: weighted round robin over tenants, up to each tenant's cap, by priority
 * within a tenant (SQL function `dispatch_runs`). Calls of one process that arrive during a round share the
 * next round.
 *
 * @returns the number of runs handed out
 */
export function dispatch(engine: Engine): Promise<number> {
  const busy = dispatching.get(engine.db);
  if (busy?.next) return busy.next;
  if (busy) {
    const begin = () => start(engine);
    busy.next = busy.current.then(begin, begin);
    return busy.next;
  }
  return start(engine);
}

function start(engine: Engine): Promise<number> {
  // Run as the service: a round reads the runs of all tenants.
  const state: Dispatching = { current: asService(() => round(engine)), next: null };
  dispatching.set(engine.db, state);
  const end = () => {
    if (dispatching.get(engine.db) === state && !state.next) dispatching.delete(engine.db);
  };
  state.current.then(end, end);
  return state.current;
}

async function round({ db, queues, log }: Engine): Promise<number> {
  // An asynchronous commit is safe: if the server loses it, the runs are still queued and are handed out
  // again under the same job IDs.
  const due = await db.$statement<{ id: string; epoch: number; express: boolean }>(Prisma.sql`
    /* dispatch runs */ SELECT run_id AS id, run_epoch AS epoch, run_express AS express, ${ASYNC_COMMIT} FROM dispatch_runs()`);
  const added = await Promise.allSettled(
    due.map((run) => queues.add(withLanePriority(advanceJob(run.id, run.epoch), run.express))),
  );
  const failed = due.filter((_, index) => added[index]!.status === 'rejected').map(({ id }) => id);
  if (failed.length > 0) {
    log.warn({ runs: failed.length }, 'failed to enqueue dispatched runs; the reconciler will retry');
    await db.$executeRaw`
      /* take dispatch back */ UPDATE runs SET dispatched_at = NULL WHERE id = ANY(${failed}) AND status = 'queued'`;
  }
  return due.length - failed.length;
}

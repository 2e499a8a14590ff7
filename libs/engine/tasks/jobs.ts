import type { QueueName } from '#contracts/queues.js';
import { tasks, type TaskName } from '#catalogue/tasks.js';
import type { TaskDefinition } from '#contracts/run-kind.js';
import type { JobSpec } from '../queue/job-queues.js';
import { LAST_PRIORITY } from '../queue/job-worker.js';

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

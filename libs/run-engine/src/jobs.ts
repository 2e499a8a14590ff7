import type { QueueName } from '#contracts/queues.js';
import { tasks, type TaskName } from '#contracts/tasks.js';
import type { TaskDefinition } from '#contracts/kinds/run-kind.js';
import type { JobSpec } from '#queue/job-queues.js';

/** Attempts of a task that this release does not know. */
const UNKNOWN_TASK_ATTEMPTS = 3;

/** A task's row, as far as its job needs it. */
export interface TaskJobFacts {
  id: string;
  run_id: string;
  tenant_id: string;
  name: string;
  queue: QueueName;
  enqueues: number;
  deadline: Date | null;
}

/**
 * The job that advances a run. Its id holds the epoch: every step is a fresh job, and one that comes late is stale.
 *
 * @param again set when the reconciler adds another, because the first may be gone or have failed
 */
export function advanceJob(runId: string, epoch: number, again?: number): JobSpec {
  return {
    queue: 'agent-runner',
    name: 'advance',
    data: { v: 1, run_id: runId, epoch },
    jobId: `${runId}.${epoch}${again === undefined ? '' : `.${again}`}`,
  };
}

/** BullMQ takes jobs without a priority first, then those with the lowest number. */
const GIVEN_BACK_PRIORITY = 1;
const COMMON_PRIORITY = 2;

const withPriority = (job: JobSpec, priority: number): JobSpec => ({
  ...job,
  options: { ...job.options, priority },
});

/**
 * Puts a job of a run into its lane: runs without a place in the express lane give way to those that have one, so that
 * however many jobs a tenant has in the queue, another's first goes before them.
 */
export function withLanePriority(job: JobSpec, express: boolean): JobSpec {
  return express ? job : withPriority(job, COMMON_PRIORITY);
}

/** The job that goes on with a run which its runner gave back in the middle of a leg: the first after the express lane. */
export function givenBackJob(runId: string, epoch: number, express: boolean): JobSpec {
  const job = advanceJob(runId, epoch);
  return express ? job : withPriority(job, GIVEN_BACK_PRIORITY);
}

/** The id of a task's job; it holds the count of enqueues, because an id that failed cannot be added again. */
export function taskJobId(task: Pick<TaskJobFacts, 'id' | 'enqueues'>): string {
  return `${task.id}.${task.enqueues}`;
}

/** The job of a task; a person's task is delayed until its deadline. */
export function taskJob(task: TaskJobFacts): JobSpec {
  // A task of a newer release is handed out all the same.
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
    },
  };
}

import type { JobFlow } from '../queue/job-queues.js';
import type { Engine } from '../engine.js';
import { advanceJob, withLanePriority, taskJob, type TaskJobFacts } from './jobs.js';

/** Returns whether a task has a job; a child run has none, because it is dispatched like any other run. */
export const hasJob = ({ name }: { name: string }): boolean => name !== 'run';

/** Returns a run's pending tasks that have a job. */
export async function pendingTasks({ db }: Engine, runId: string): Promise<TaskJobFacts[]> {
  return db.$queryRaw<TaskJobFacts[]>`
    SELECT id, run_id, tenant_id, name, queue, enqueues, deadline, turn FROM tasks WHERE run_id = ${runId} AND status = 'pending' AND name <> 'run' ORDER BY id`;
}

/**
 * Returns the BullMQ flow of a pause: the parent is the next `advance`, the children are the tasks. Operators
 * see the pause as a job state, and it occupies no worker slot.
 *
 * @param pending the run's pending tasks
 * @param express whether the run has a place in the express lane
 * @param again set by the reconciler if the first flow is lost
 */
export function pauseFlow(
  runId: string,
  epoch: number,
  pending: TaskJobFacts[],
  express: boolean,
  again?: number,
): JobFlow {
  return {
    parent: withLanePriority(advanceJob(runId, epoch, again), express),
    children: pending.map(taskJob),
  };
}

/** Enqueues a pause: its flow, or only the next `advance` if no task is pending. */
export async function enqueuePause({ queues }: Engine, flow: JobFlow): Promise<void> {
  await (flow.children.length === 0 ? queues.add(flow.parent) : queues.addFlow(flow));
}

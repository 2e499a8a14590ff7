import type { JobFlow } from '#queue/job-queues.js';
import type { Engine } from './engine.js';
import { advanceJob, withLanePriority, taskJob, type TaskJobFacts } from './jobs.js';

/** Tasks of one pause that use the express lane, so that a run with hundreds of tasks does not fill it for other tenants. */
const EXPRESS_TASKS = 3;

/** Whether a task is handed to the queue; a child run is dispatched as any run. */
export const hasJob = ({ name }: { name: string }): boolean => name !== 'run';

/** The tasks of a run that are jobs and that nobody has done yet. */
export async function pendingTasks({ db }: Engine, runId: string): Promise<TaskJobFacts[]> {
  return db.$queryRaw<TaskJobFacts[]>`
    SELECT id, run_id, tenant_id, name, queue, enqueues, deadline FROM tasks WHERE run_id = ${runId} AND status = 'pending' AND name <> 'run' ORDER BY id`;
}

/**
 * The ONE flow of a pause: the parent is the next `advance`, the children are the tasks. So an admin sees the
 * pause as a job state and no worker slot is held.
 *
 * @param pending the run's open tasks
 * @param express whether the run has a place in the express lane
 * @param again set by the reconciler, when the first flow is gone
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
    children: pending.map((task, index) => withLanePriority(taskJob(task), express && index < EXPRESS_TASKS)),
  };
}

/** Hands a pause to the queue: its flow, or the next `advance` alone when nothing is open any more. */
export async function enqueuePause({ queues }: Engine, flow: JobFlow): Promise<void> {
  await (flow.children.length === 0 ? queues.add(flow.parent) : queues.addFlow(flow));
}

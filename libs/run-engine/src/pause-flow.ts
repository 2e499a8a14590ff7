import type { Engine } from './engine.js';
import { advanceJob, inLane, taskJob, type TaskJobFacts } from './jobs.js';

/** The tasks of a run that nobody has done yet. */
export async function pendingTasks({ db }: Engine, runId: string): Promise<TaskJobFacts[]> {
  return db.$queryRaw<TaskJobFacts[]>`
    SELECT id, run_id, name, enqueues, deadline FROM tasks WHERE run_id = ${runId} AND status = 'pending' ORDER BY id`;
}

/**
 * Adds ONE flow for a pause: the parent is the next `advance`, the children are the tasks (design: step 3). So an admin
 * sees the pause as a job state and no worker slot is held.
 *
 * @param pending the run's open tasks
 * @param express whether the run has a place in the express lane
 * @param again set by the reconciler, when the first flow is gone
 */
export async function enqueuePause(
  engine: Engine,
  runId: string,
  epoch: number,
  pending: TaskJobFacts[],
  express: boolean,
  again?: number,
): Promise<void> {
  const parent = inLane(advanceJob(runId, epoch, again), express);
  if (pending.length === 0) await engine.queues.add(parent);
  else
    await engine.queues.addFlow(
      parent,
      pending.map((task) => inLane(taskJob(task), express)),
    );
}

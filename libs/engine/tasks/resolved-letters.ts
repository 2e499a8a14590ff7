import { ACTIVE_STATUSES } from '#db/shown-status.js';
import { readFailedJobs } from '../queue/failed-jobs.js';
import type { Job } from '../queue/job-queues.js';
import type { Engine } from '../engine.js';
import { taskJobId, type TaskJobFacts } from '../queue/dispatch.js';

/** Outcome of `reopenPoisoned`; `too_late` if the run no longer waits. */
type Reopening = 'reopened' | 'too_late' | 'not_poisoned';

/** Reopens a poisoned task while its run still waits. The caller must add its job to the queue again. */
export async function reopenPoisoned({ db }: Engine, taskId: string): Promise<Reopening> {
  const reopened = await db.$executeRaw`
    /* reopen task */ WITH parked AS MATERIALIZED (
      SELECT r.id FROM runs r JOIN tasks t ON t.run_id = r.id
      WHERE t.id = ${taskId} AND r.status = 'waiting' FOR NO KEY UPDATE OF r)
    UPDATE tasks SET status = 'pending', error = NULL, completed_by = NULL, completed_at = NULL, attempts = 0, unfinished = 0
    WHERE id = ${taskId} AND run_id IN (SELECT id FROM parked) AND status = 'failed'
      AND error->>'code' = 'task_poisoned'`;
  if (reopened === 1) return 'reopened';
  const task = await db.task.findFirst({ where: { id: taskId, status: 'failed' } });
  const { code } = (task?.error ?? {}) as { code?: string };
  return code === 'task_poisoned' ? 'too_late' : 'not_poisoned';
}

/** Maximum dead letters per queue and round. */
const BATCH = 200;

/**
 * Removes dead letters that need no attention: an outage used up their attempts, and a later job completed
 * their task or continued their run. Dead letters of poisoned tasks, and those without a later job, remain.
 *
 * @returns the number of letters removed
 */
export async function removeResolvedLetters(engine: Engine): Promise<number> {
  let removed = 0;
  for (const queue of engine.queues.all()) {
    const letters = await engine.queues.ask(() => readFailedJobs(queue, BATCH));
    const resolved = letters.length === 0 ? new Set<string>() : await resolvedOf(engine, letters);
    for (const job of letters.filter(({ id }) => resolved.has(id!))) {
      await engine.queues.ask(() => job.remove({ removeChildren: false }));
      removed += 1;
    }
  }
  return removed;
}

interface Letter {
  run_id?: unknown;
  task_id?: unknown;
  epoch?: unknown;
}

async function resolvedOf({ db }: Engine, letters: Job[]): Promise<Set<string>> {
  const dataOf = (job: Job) => job.data as Letter;
  const idsOf = (key: keyof Letter) =>
    letters.map((job) => dataOf(job)[key]).filter((id): id is string => typeof id === 'string');
  const tasks = await db.$queryRaw<
    (Pick<TaskJobFacts, 'id' | 'enqueues'> & { status: string; code: string | null })[]
  >`
    SELECT id, enqueues, status, error->>'code' AS code FROM tasks WHERE id = ANY(${idsOf('task_id')})`;
  const runs = await db.$queryRaw<{ id: string; epoch: number; is_active: boolean }[]>`
    SELECT id, epoch, status IN (${ACTIVE_STATUSES}) AS is_active FROM runs WHERE id = ANY(${idsOf('run_id')})`;
  const isResolved = (job: Job): boolean => {
    const { run_id, task_id, epoch } = dataOf(job);
    const task = tasks.find(({ id }) => id === task_id);
    if (task) return task.status === 'pending' ? job.id !== taskJobId(task) : task.code !== 'task_poisoned';
    const run = runs.find(({ id }) => id === run_id);
    return run !== undefined && task_id === undefined && (!run.is_active || Number(epoch) < run.epoch);
  };
  return new Set(letters.filter(isResolved).map(({ id }) => id!));
}

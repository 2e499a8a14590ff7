import type { Engine } from '../engine.js';

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

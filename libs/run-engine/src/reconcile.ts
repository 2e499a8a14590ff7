import { ACTIVE_STATUSES } from '#db/active-statuses.js';
import { applyDefault } from './deadline-processor.js';
import { cancelRun } from './cancel.js';
import { completeParentTask } from './child-runs.js';
import { applyForgottenAnswers } from './decisions/early-answers.js';
import { dispatch } from './dispatch.js';
import { forEachConcurrently } from './for-each-concurrently.js';
import type { Engine } from './engine.js';
import { advanceJob } from './jobs.js';
import { isAlive, requeueParked } from './requeue-parked.js';

/** Runs of each kind looked at per round. */
const BATCH = 200;
/** Seconds after which it is looked whether the job of a dispatched run is still there; its dispatcher has added it by then. */
const DISPATCH_GRACE_SECONDS = 1;

/** Seconds after which a queued run whose job a runner took, but did not claim, is given to another. */
const OVERDUE_SECONDS = 30;

export interface ReconcileReport {
  dispatched: number;
  takenOver: number;
  resumed: number;
  requeued: number;
  deadlines: number;
  answered: number;
  /** Child runs whose end was not told yet, or whose parent has ended. */
  children: number;
}

/**
 * One round of the reconciler: whatever is ready in Postgres and has no live lease is enqueued again,
 * idempotently. So losing the whole queue loses nothing.
 */
export async function reconcile(engine: Engine): Promise<ReconcileReport> {
  return {
    dispatched: await dispatch(engine),
    takenOver: await takeOver(engine),
    resumed: await resumeReady(engine),
    deadlines: await applyDeadlines(engine),
    answered: await applyForgottenAnswers(engine),
    children: await tendChildren(engine),
    requeued: await requeueParked(engine),
  };
}

/** Runs whose runner died (the lease ran out) or gave them back, and dispatched ones that no runner took, when no job is there. */
async function takeOver({ db, queues, log }: Engine): Promise<number> {
  const due = await db.$queryRaw<{ id: string; epoch: number; status: string; is_overdue: boolean }[]>`
    /* take over runs */ UPDATE runs SET checked_at = now()
    WHERE id IN (
      SELECT id FROM runs
      WHERE (status = 'running' AND lease_until < now() AND checked_at < now() - make_interval(secs => 1))
         OR (status = 'queued' AND dispatched_at IS NOT NULL AND checked_at < now() - make_interval(secs => ${DISPATCH_GRACE_SECONDS}))
      ORDER BY checked_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id, epoch, status,
      status = 'running' OR dispatched_at < now() - make_interval(secs => ${OVERDUE_SECONDS}) AS is_overdue`;
  let added = 0;
  await forEachConcurrently(due, async (run) => {
    const { jobId } = advanceJob(run.id, run.epoch);
    const state = await queues.state('agent-runner', jobId);
    // A runner that took the job and did not claim the run at once has died; its lock may last as long as its clock was ahead.
    if (isAlive(state) && !(run.is_overdue && state === 'active')) return;
    log.warn({ run_id: run.id }, 'no runner holds the run; enqueued again');
    // A job that has failed keeps its id; only one that is gone can come back under it.
    await queues.add(advanceJob(run.id, run.epoch, state === 'unknown' ? undefined : Date.now()));
    added += 1;
  });
  return added;
}

/** Waiting runs whose tasks are all done but whose parent job did not come. */
async function resumeReady({ db, queues }: Engine): Promise<number> {
  const due = await db.$queryRaw<{ id: string; epoch: number }[]>`
    /* resume runs */ UPDATE runs SET checked_at = now()
    WHERE id IN (
      SELECT r.id FROM runs r
      WHERE r.status = 'waiting' AND r.checked_at < now() - make_interval(secs => 1)
        AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.run_id = r.id AND t.status = 'pending')
        AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.run_id = r.id AND t.completed_at > now() - make_interval(secs => 1))
      ORDER BY r.checked_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id, epoch`;
  await forEachConcurrently(due, (run) => queues.add(advanceJob(run.id, run.epoch, Date.now())));
  return due.length;
}

/** Questions past their deadline whose delayed job did not come. */
async function applyDeadlines(engine: Engine): Promise<number> {
  const due = await engine.db.$queryRaw<{ id: string }[]>`
    SELECT id FROM tasks WHERE status = 'pending' AND deadline < now() - make_interval(secs => 2) LIMIT ${BATCH}`;
  let applied = 0;
  for (const task of due) if (await applyDefault(engine, task.id)) applied++;
  return applied;
}

/** Children that have ended while their process died before it told their parent, and children of runs that have ended. */
async function tendChildren(engine: Engine): Promise<number> {
  const ended = await engine.db.$queryRaw<{ id: string }[]>`
    SELECT c.id FROM tasks t JOIN runs c ON c.parent_run_id = t.run_id AND c.parent_task_id = t.id
    WHERE t.name = 'run' AND t.status = 'pending' AND c.finished_at < now() - make_interval(secs => 1) LIMIT ${BATCH}`;
  for (const { id } of ended) await completeParentTask(engine, id);
  const orphans = await engine.db.$queryRaw<{ id: string }[]>`
    SELECT c.id FROM runs c JOIN runs p ON p.id = c.parent_run_id
    WHERE c.parent_run_id IS NOT NULL AND c.status IN (${ACTIVE_STATUSES})
      AND p.status NOT IN (${ACTIVE_STATUSES}) LIMIT ${BATCH}`;
  for (const { id } of orphans) await cancelRun(engine, id, { handOn: false });
  return ended.length + orphans.length;
}

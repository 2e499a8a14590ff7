import { Prisma } from '#db/client.js';
import { ACTIVE_STATUSES } from '#db/shown-status.js';
import { applyDefault } from '../decisions/answer.js';
import { REMINDER_SECONDS, remindOfDeadlines } from '../decisions/reminders.js';
import { notSuspended } from '../runs/step-preemption.js';
import { cancelRun } from '../runs/cancel.js';
import { completeParentTask } from '../runs/child-runs.js';
import { applyForgottenAnswers } from '../decisions/early-answers.js';
import { dispatch, advanceJob, taskJob, taskJobId, type TaskJobFacts } from '../queue/dispatch.js';
import { forEachConcurrently } from '#contracts/for-each-concurrently.js';
import type { Engine } from '../engine.js';
import type { JobFlow, JobState } from '../queue/job-queues.js';
import { pauseFlow } from '../runs/pause-run.js';
import { TASK_LEASE_SECONDS } from '../tasks/task-processor.js';

/** Maximum runs per round and type of action, and parked runs per batch. */
const BATCH = 200;
/** Minimum interval between two checks of a parked run. */
const RECHECK_SECONDS = 3;
/** Recheck interval in seconds after a lost job was found; any parked run has enqueued its jobs by then. */
const RECHECK_AFTER_LOSS_SECONDS = 1;

/** States in which a job will still be processed. */
const ALIVE = new Set<JobState | 'unknown'>([
  'waiting',
  'prioritized',
  'delayed',
  'active',
  'waiting-children',
]);

/** Returns whether a job in this state will still be processed. */
export const isAlive = (state: JobState | 'unknown'): boolean => ALIVE.has(state);

interface ParkedRun {
  id: string;
  epoch: number;
}
type PendingTask = TaskJobFacts;

/**
 * Adds the lost jobs of waiting runs with pending tasks. Normally checks one batch per round. A queue that
 * lost one job has probably lost them all, so after a loss the next batch follows immediately.
 *
 * @returns the number of tasks that were added
 */
async function requeueParked(engine: Engine): Promise<number> {
  let requeued = 0;
  for (;;) {
    const recheckSeconds = requeued > 0 ? RECHECK_AFTER_LOSS_SECONDS : RECHECK_SECONDS;
    const parked = await dueRuns(engine, recheckSeconds);
    const added = await requeueBatch(engine, parked);
    requeued += added;
    if (added === 0 || parked.length < BATCH) return requeued;
  }
}

function dueRuns({ db }: Engine, recheckSeconds: number): Promise<ParkedRun[]> {
  return db.$queryRaw<ParkedRun[]>`
    /* recheck runs */ UPDATE runs SET checked_at = now()
    WHERE id IN (
      SELECT r.id FROM runs r
      WHERE r.status = 'waiting' AND r.checked_at < now() - make_interval(secs => ${recheckSeconds})
        AND EXISTS (SELECT 1 FROM tasks t WHERE t.run_id = r.id AND t.status = 'pending')
      ORDER BY r.checked_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id, epoch`;
}

async function requeueBatch(engine: Engine, runs: ParkedRun[]): Promise<number> {
  if (runs.length === 0) return 0;
  const pending = await engine.db.$queryRaw<PendingTask[]>`
    SELECT id, run_id, tenant_id, name, enqueues, deadline, queue, turn FROM tasks
    WHERE run_id = ANY(${runs.map(({ id }) => id)}) AND status = 'pending' AND name <> 'run' ORDER BY id`;
  const lostJobs: string[] = [];
  const active: string[] = [];
  await forEachConcurrently(pending, async (task) => {
    const state = await engine.queues.state(task.queue, taskJobId(task));
    if (!isAlive(state)) lostJobs.push(task.id);
    if (state === 'active') active.push(task.id);
    // Promote retries of workers: their backoff is hardly longer than the recheck interval, unless the clock
    // of the failed worker was ahead. Then it would last as long as the clocks differ.
    if (state === 'delayed' && task.deadline === null)
      await engine.queues.promote(task.queue, taskJobId(task));
  });
  lostJobs.push(...(await abandoned(engine, active)));
  if (lostJobs.length === 0) return 0;
  // A failed job keeps its ID, so the new one gets another. Tasks done in the meantime need no job.
  const renewed = await engine.db.$queryRaw<PendingTask[]>`
    /* requeue tasks */ UPDATE tasks SET enqueues = enqueues + 1, lease_until = now() + make_interval(secs => ${TASK_LEASE_SECONDS})
    WHERE id = ANY(${lostJobs}) AND status = 'pending'
    RETURNING id, run_id, tenant_id, name, enqueues, deadline, queue, turn`;
  const alive = pending.filter(({ id }) => !lostJobs.includes(id));
  const flows: JobFlow[] = [];
  await forEachConcurrently(runs, async (run) => {
    const ofRun = (tasks: PendingTask[]) => tasks.filter((task) => task.run_id === run.id);
    const flow = await addLost(engine, run, ofRun(renewed), ofRun(alive));
    if (flow) flows.push(flow);
  });
  if (flows.length > 0) await engine.queues.addFlows(flows);
  return lostJobs.length;
}

/**
 * Returns tasks whose job is active but whose lease ran out. The queue in PostgreSQL uses the clocks of
 * workers: the lock of a worker whose clock is ahead, and the delay until stalled jobs are checked, last as
 * long as the clocks differ.
 */
async function abandoned({ db }: Engine, active: string[]): Promise<string[]> {
  if (active.length === 0) return [];
  // Give a lease to tasks whose worker died before it began. A begun task without a lease belongs to an
  // earlier version, which sets none.
  await db.$executeRaw`
    /* suspect tasks */ UPDATE tasks SET lease_until = now() + make_interval(secs => ${TASK_LEASE_SECONDS})
    WHERE id = ANY(${active}) AND status = 'pending' AND lease_until IS NULL AND unfinished = 0`;
  const over = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM tasks WHERE id = ANY(${active}) AND status = 'pending' AND lease_until < now()`;
  return over.map(({ id }) => id);
}

/**
 * Adds the jobs of a run's lost tasks.
 *
 * @returns the flow to add instead if their parent job is lost too, else null
 */
async function addLost(
  { queues, log }: Engine,
  run: ParkedRun,
  renewed: PendingTask[],
  alive: PendingTask[],
): Promise<JobFlow | null> {
  if (renewed.length === 0) return null;
  const names = renewed.map(({ name }) => name);
  log.warn({ run_id: run.id, tasks: names }, 'the queue lost jobs of the run; added them again');
  if (!isAlive(await queues.state('agent-runner', `${run.id}.${run.epoch}`)))
    return pauseFlow(run.id, run.epoch, [...renewed, ...alive], true, Date.now());
  for (const task of renewed) await queues.add(taskJob(task));
  return null;
}

/**
 * Seconds until the reconciler checks that the job of a dispatched run exists; the dispatcher has added it by
 * then.
 */
const DISPATCH_GRACE_SECONDS = 1;

/**
 * Seconds until a queued run is enqueued again although its job is active: a runner took the job but did not
 * claim the run.
 */
const OVERDUE_SECONDS = 30;

export interface ReconcileReport {
  dispatched: number;
  takenOver: number;
  resumed: number;
  requeued: number;
  deadlines: number;
  /** Decisions of which people were reminded before the deadline. */
  reminders: number;
  answered: number;
  /** Ended child runs that completed their parent's task, and orphans that were cancelled. */
  children: number;
}

/** Report of a round that found no active run. */
export const NO_ACTIVE_RUN: ReconcileReport = {
  dispatched: 0,
  takenOver: 0,
  resumed: 0,
  requeued: 0,
  deadlines: 0,
  reminders: 0,
  answered: 0,
  children: 0,
};

/**
 * Executes one round of the reconciler: enqueues again, idempotently, all work that is ready in PostgreSQL
 * and has no live lease. Therefore losing the whole queue loses no work. An idle service, which has no active
 * run, only executes one query.
 *
 * @param reminderSeconds before the deadline of a decision at which people are reminded; 0 for no reminders
 */
export async function reconcile(
  engine: Engine,
  reminderSeconds = REMINDER_SECONDS,
): Promise<ReconcileReport> {
  if (!(await hasActiveRun(engine))) return NO_ACTIVE_RUN;
  return {
    dispatched: await dispatch(engine),
    takenOver: await enqueueUnclaimedRuns(engine),
    resumed: await resumeReady(engine),
    deadlines: await applyDeadlines(engine),
    reminders: await remindOfDeadlines(engine, reminderSeconds),
    answered: await applyForgottenAnswers(engine),
    children: await tendChildren(engine),
    requeued: await requeueParked(engine),
  };
}

async function hasActiveRun({ db }: Engine): Promise<boolean> {
  const [row] = await db.$queryRaw<{ found: boolean }[]>`
    /* is a run active */ SELECT EXISTS (SELECT 1 FROM runs WHERE status IN (${ACTIVE_STATUSES})) AS found`;
  return row!.found;
}

/**
 * Enqueues runs whose lease ran out or was released, and dispatched runs that no runner claimed, unless their
 * job is alive.
 */
async function enqueueUnclaimedRuns({ db, queues, log }: Engine): Promise<number> {
  const due = await db.$queryRaw<{ id: string; epoch: number; status: string; is_overdue: boolean }[]>`
    /* take over runs */ UPDATE runs SET checked_at = now()
    WHERE id IN (
      SELECT id FROM runs
      WHERE ((status = 'running' AND lease_until < now() AND checked_at < now() - make_interval(secs => 1))
         OR (status = 'queued' AND dispatched_at IS NOT NULL AND checked_at < now() - make_interval(secs => ${DISPATCH_GRACE_SECONDS})))
        AND ${notSuspended(Prisma.sql`runs.tenant_id`)}
      ORDER BY checked_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id, epoch, status,
      status = 'running' OR dispatched_at < now() - make_interval(secs => ${OVERDUE_SECONDS}) AS is_overdue`;
  let added = 0;
  await forEachConcurrently(due, async (run) => {
    const { jobId } = advanceJob(run.id, run.epoch);
    const state = await queues.state('agent-runner', jobId);
    // A runner that took the job but did not claim the run has died; if its clock was ahead, its lock may
    // outlive it.
    if (isAlive(state) && !(run.is_overdue && state === 'active')) return;
    log.warn({ run_id: run.id }, 'no runner has a lease on the run; enqueued it again');
    // A failed job keeps its ID; only a lost job can be added under the same one.
    await queues.add(advanceJob(run.id, run.epoch, state === 'unknown' ? undefined : Date.now()));
    added += 1;
  });
  return added;
}

/** Resumes waiting runs whose tasks are all done but whose parent job did not run. */
async function resumeReady({ db, queues }: Engine): Promise<number> {
  const due = await db.$queryRaw<{ id: string; epoch: number }[]>`
    /* resume runs */ UPDATE runs SET checked_at = now()
    WHERE id IN (
      SELECT r.id FROM runs r
      WHERE r.status = 'waiting' AND r.checked_at < now() - make_interval(secs => 1)
        AND ${notSuspended(Prisma.sql`r.tenant_id`)}
        AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.run_id = r.id AND t.status = 'pending')
        AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.run_id = r.id AND t.completed_at > now() - make_interval(secs => 1))
      ORDER BY r.checked_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id, epoch`;
  await forEachConcurrently(due, (run) => queues.add(advanceJob(run.id, run.epoch, Date.now())));
  return due.length;
}

/** Applies the default to decisions that are past their deadline and whose delayed job did not run. */
async function applyDeadlines(engine: Engine): Promise<number> {
  const due = await engine.db.$queryRaw<{ id: string }[]>`
    SELECT id FROM tasks WHERE status = 'pending' AND deadline < now() - make_interval(secs => 2) LIMIT ${BATCH}`;
  let applied = 0;
  for (const task of due) if (await applyDefault(engine, task.id)) applied++;
  return applied;
}

/**
 * Reports ended children whose process died before it notified the parent, and cancels children of ended
 * runs.
 */
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

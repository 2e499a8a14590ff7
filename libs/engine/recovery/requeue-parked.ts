import { forEachConcurrently } from '#contracts/for-each-concurrently.js';
import type { JobFlow, JobState } from '../queue/job-queues.js';
import type { Engine } from '../engine.js';
import { taskJob, taskJobId, type TaskJobFacts } from '../tasks/jobs.js';
import { pauseFlow } from '../runs/pause-run.js';
import { TASK_LEASE_SECONDS } from '../tasks/task-processor.js';

/** Maximum parked runs per batch; each is checked again after at least `RECHECK_SECONDS`. */
const BATCH = 200;
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
export async function requeueParked(engine: Engine): Promise<number> {
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

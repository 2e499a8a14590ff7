import type { JobFlow, JobState } from '#queue/job-queues.js';
import { forEachConcurrently } from './for-each-concurrently.js';
import type { Engine } from './engine.js';
import { taskJob, taskJobId, type TaskJobFacts } from './jobs.js';
import { pauseFlow } from './pause-flow.js';
import { TASK_LEASE_SECONDS } from './task-attempts.js';

/** Parked runs looked at together; each is looked at again after at least `RECHECK_SECONDS`. */
const BATCH = 200;
const RECHECK_SECONDS = 3;
/** The same once a lost job was found; whoever parks a run has handed its jobs to the queue by then. */
const RECHECK_AFTER_LOSS_SECONDS = 1;

/** States in which a job will still be worked on. */
const ALIVE = new Set<JobState | 'unknown'>([
  'waiting',
  'prioritized',
  'delayed',
  'active',
  'waiting-children',
]);

/** Whether a job in this state will still be worked on. */
export const isAlive = (state: JobState | 'unknown'): boolean => ALIVE.has(state);

interface ParkedRun {
  id: string;
  epoch: number;
}
type PendingTask = TaskJobFacts;

/**
 * Waiting runs with open tasks: their jobs must be known to the queue, else they are added anew. While nothing is lost a round
 * looks at one batch only; a queue that lost a job has probably lost them all, and then the next batch follows at once.
 *
 * @returns how many tasks were added
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
    SELECT id, run_id, tenant_id, name, enqueues, deadline, queue FROM tasks
    WHERE run_id = ANY(${runs.map(({ id }) => id)}) AND status = 'pending' AND name <> 'run' ORDER BY id`;
  const lost: string[] = [];
  const active: string[] = [];
  await forEachConcurrently(pending, async (task) => {
    const state = await engine.queues.state(task.queue, taskJobId(task));
    if (!isAlive(state)) lost.push(task.id);
    if (state === 'active') active.push(task.id);
    // The pause before a machine's next attempt is hardly longer than that between two looks, unless the clock of the worker
    // that failed is ahead; then it lasts as long as the clocks differ.
    if (state === 'delayed' && task.deadline === null)
      await engine.queues.promote(task.queue, taskJobId(task));
  });
  lost.push(...(await abandoned(engine, active)));
  if (lost.length === 0) return 0;
  // A job that failed keeps its id, so the new one gets another. What was done meanwhile needs none.
  const renewed = await engine.db.$queryRaw<PendingTask[]>`
    /* requeue tasks */ UPDATE tasks SET enqueues = enqueues + 1, lease_until = now() + make_interval(secs => ${TASK_LEASE_SECONDS})
    WHERE id = ANY(${lost}) AND status = 'pending'
    RETURNING id, run_id, tenant_id, name, enqueues, deadline, queue`;
  const alive = pending.filter(({ id }) => !lost.includes(id));
  const flows: JobFlow[] = [];
  await forEachConcurrently(runs, async (run) => {
    const ofRun = (tasks: PendingTask[]) => tasks.filter((task) => task.run_id === run.id);
    const flow = await addLost(engine, run, ofRun(renewed), ofRun(alive));
    if (flow) flows.push(flow);
  });
  if (flows.length > 0) await engine.queues.addFlows(flows);
  return lost.length;
}

/**
 * Tasks whose job counts as worked on, but whose worker has given no sign of life. The queue in PostgreSQL notices by the clocks of
 * workers: a lock that one with a clock ahead took lasts as long as the clocks differ, and so does the pause before the next look for such.
 */
async function abandoned({ db }: Engine, active: string[]): Promise<string[]> {
  if (active.length === 0) return [];
  // Of a worker that died before it began. One that began without a lease is of an earlier version, which takes none.
  await db.$executeRaw`
    /* suspect tasks */ UPDATE tasks SET lease_until = now() + make_interval(secs => ${TASK_LEASE_SECONDS})
    WHERE id = ANY(${active}) AND status = 'pending' AND lease_until IS NULL AND unfinished = 0`;
  const over = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM tasks WHERE id = ANY(${active}) AND status = 'pending' AND lease_until < now()`;
  return over.map(({ id }) => id);
}

/**
 * Adds the renewed tasks of a run.
 *
 * @returns the flow that has to be added in their place when their parent is gone too
 */
async function addLost(
  { queues, log }: Engine,
  run: ParkedRun,
  renewed: PendingTask[],
  alive: PendingTask[],
): Promise<JobFlow | null> {
  if (renewed.length === 0) return null;
  const names = renewed.map(({ name }) => name);
  log.warn({ run_id: run.id, tasks: names }, 'the queue lost tasks of the run; added again');
  if (!isAlive(await queues.state('agent-runner', `${run.id}.${run.epoch}`)))
    return pauseFlow(run.id, run.epoch, [...renewed, ...alive], true, Date.now());
  for (const task of renewed) await queues.add(taskJob(task));
  return null;
}

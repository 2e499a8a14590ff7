import type { QueueName } from '#contracts/tasks.js';
import type { JobState } from '#queue/job-queues.js';
import type { Engine } from './engine.js';
import { taskJob, taskJobId, type TaskJobFacts } from './jobs.js';
import { enqueuePause } from './pause-flow.js';

/** Parked runs looked at together; each is looked at again after at least `RECHECK_SECONDS`. */
const BATCH = 200;
const RECHECK_SECONDS = 3;
/** Runs whose jobs are looked up at the same time. */
const AT_ONCE = 50;

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
type PendingTask = TaskJobFacts & { queue: QueueName };

/**
 * Waiting runs with open tasks: their jobs must be known to the queue, else they are added anew. While nothing is lost a round
 * looks at one batch only; a queue that lost a job has probably lost them all, and then the next batch follows at once.
 *
 * @returns how many tasks were added
 */
export async function requeueParked(engine: Engine): Promise<number> {
  let requeued = 0;
  for (;;) {
    const parked = await dueRuns(engine);
    const added = await requeueBatch(engine, parked);
    requeued += added;
    if (added === 0 || parked.length < BATCH) return requeued;
  }
}

function dueRuns({ db }: Engine): Promise<ParkedRun[]> {
  return db.$queryRaw<ParkedRun[]>`
    /* recheck runs */ UPDATE runs SET checked_at = now()
    WHERE id IN (
      SELECT r.id FROM runs r
      WHERE r.status = 'waiting' AND r.checked_at < now() - make_interval(secs => ${RECHECK_SECONDS})
        AND EXISTS (SELECT 1 FROM tasks t WHERE t.run_id = r.id AND t.status = 'pending')
      ORDER BY r.checked_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id, epoch`;
}

async function requeueBatch(engine: Engine, runs: ParkedRun[]): Promise<number> {
  if (runs.length === 0) return 0;
  const pending = await engine.db.$queryRaw<PendingTask[]>`
    SELECT id, run_id, name, enqueues, deadline, queue FROM tasks
    WHERE run_id = ANY(${runs.map(({ id }) => id)}) AND status = 'pending' ORDER BY id`;
  const lost: PendingTask[] = [];
  await eachAtOnce(pending, async (task) => {
    if (!isAlive(await engine.queues.state(task.queue, taskJobId(task)))) lost.push(task);
  });
  if (lost.length === 0) return 0;
  // A job that failed keeps its id, so the new one gets another. What was done meanwhile needs none.
  const renewed = await engine.db.$queryRaw<{ id: string }[]>`
    /* requeue tasks */ UPDATE tasks SET enqueues = enqueues + 1
    WHERE id = ANY(${lost.map(({ id }) => id)}) AND status = 'pending' RETURNING id`;
  const ids = new Set(renewed.map(({ id }) => id));
  const affected = runs.filter(({ id }) => lost.some((task) => task.run_id === id));
  await eachAtOnce(affected, (run) => {
    const open = pending.filter(
      (task) => task.run_id === run.id && (ids.has(task.id) || !lost.includes(task)),
    );
    return addLost(engine, run, open, ids);
  });
  return lost.length;
}

/** Adds the renewed tasks of a run, with their parent when that is gone too. */
async function addLost(
  engine: Engine,
  run: ParkedRun,
  open: PendingTask[],
  renewed: ReadonlySet<string>,
): Promise<void> {
  const lost = open.filter(({ id }) => renewed.has(id));
  if (lost.length === 0) return;
  engine.log.warn(
    { run_id: run.id, tasks: lost.map(({ name }) => name) },
    'the queue lost tasks of the run; added again',
  );
  const current = open.map((task) =>
    renewed.has(task.id) ? { ...task, enqueues: task.enqueues + 1 } : task,
  );
  if (!isAlive(await engine.queues.state('agent-runner', `${run.id}.${run.epoch}`)))
    return enqueuePause(engine, run.id, run.epoch, current, true, Date.now());
  for (const task of current) if (renewed.has(task.id)) await engine.queues.add(taskJob(task));
}

/** Works on many items, some of them at the same time. */
async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE)
    await Promise.all(items.slice(start, start + AT_ONCE).map(work));
}

import { Prisma } from '#db/client.js';
import { ASYNC_COMMIT } from '#db/async-commit.js';
import { asService } from '#db/tenant-scope.js';
import type { Engine } from '../engine.js';
import { advanceJob, withLanePriority } from './jobs.js';

interface Dispatching {
  current: Promise<number>;
  next: Promise<number> | null;
}

const dispatching = new WeakMap<Engine['db'], Dispatching>();

/**
 * Hands queued runs to the runners: weighted round robin over tenants, up to each tenant's cap, by priority
 * within a tenant (SQL function `dispatch_runs`). Calls of one process that arrive during a round share the
 * next round.
 *
 * @returns the number of runs handed out
 */
export function dispatch(engine: Engine): Promise<number> {
  const busy = dispatching.get(engine.db);
  if (busy?.next) return busy.next;
  if (busy) {
    const begin = () => start(engine);
    busy.next = busy.current.then(begin, begin);
    return busy.next;
  }
  return start(engine);
}

function start(engine: Engine): Promise<number> {
  // Run as the service: a round reads the runs of all tenants.
  const state: Dispatching = { current: asService(() => round(engine)), next: null };
  dispatching.set(engine.db, state);
  const end = () => {
    if (dispatching.get(engine.db) === state && !state.next) dispatching.delete(engine.db);
  };
  state.current.then(end, end);
  return state.current;
}

async function round({ db, queues, log }: Engine): Promise<number> {
  // An asynchronous commit is safe: if the server loses it, the runs are still queued and are handed out
  // again under the same job IDs.
  const due = await db.$statement<{ id: string; epoch: number; express: boolean }>(Prisma.sql`
    /* dispatch runs */ SELECT run_id AS id, run_epoch AS epoch, run_express AS express, ${ASYNC_COMMIT} FROM dispatch_runs()`);
  const added = await Promise.allSettled(
    due.map((run) => queues.add(withLanePriority(advanceJob(run.id, run.epoch), run.express))),
  );
  const failed = due.filter((_, index) => added[index]!.status === 'rejected').map(({ id }) => id);
  if (failed.length > 0) {
    log.warn({ runs: failed.length }, 'failed to enqueue dispatched runs; the reconciler will retry');
    await db.$executeRaw`
      /* take dispatch back */ UPDATE runs SET dispatched_at = NULL WHERE id = ANY(${failed}) AND status = 'queued'`;
  }
  return due.length - failed.length;
}

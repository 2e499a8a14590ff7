/**
 * Measures the recovery from the loss of every job: `npm run bench:recovery`. On each queue, 1,000 runs wait for a person
 * and 200 are in progress when the jobs are lost. It ends when every question has its job again and every other run is
 * completed.
 */
import { loadavg } from 'node:os';
import { taskJobId } from '#engine/queue/dispatch.js';
import { startReconciler } from '#engine/recovery/reconciler.js';
import { isAlive } from '#engine/recovery/reconcile.js';
import { loseJobsOnPostgres } from '#testing/lose-jobs.js';
import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { BenchStack, startServers, type Servers } from './engine/bench-stack.js';
import { throughput } from './engine/figures.js';
import { benchOptions } from './options.js';

const { sizes } = benchOptions({ paused: [1_000, 20], active: [200, 5] });
const RUNNERS = 2;
const POLL_MS = 100;

async function loseJobs(databaseUrl: string, redisUrl: string | null): Promise<void> {
  if (redisUrl !== null) {
    const redis = new Redis(redisUrl);
    await redis.flushall();
    redis.disconnect();
    return;
  }
  await loseJobsOnPostgres(databaseUrl);
}

/** Returns the open questions without a job in the queue. */
async function missingJobs({ db, engine }: BenchStack): Promise<number> {
  const open = await db.task.findMany({ where: { status: 'pending' }, select: { id: true, enqueues: true } });
  const states = await Promise.all(open.map((task) => engine.queues.state('human-input', taskJobId(task))));
  return states.filter((state) => !isAlive(state)).length;
}

async function recovery(
  servers: Servers,
  redisUrl: string | null,
): Promise<{ paused: number; active: number }> {
  const stack = await BenchStack.start(servers.databaseUrl, redisUrl ?? servers.databaseUrl, RUNNERS);
  const reconciler = startReconciler(stack.engine, stack.listener);
  try {
    await throughput(sizes.paused, 20, async () =>
      stack.paused(await stack.start(await stack.session(), 'ask')),
    );
    const sessions = await Promise.all(Array.from({ length: sizes.active }, () => stack.session()));
    const active = await Promise.all(sessions.map((session) => stack.start(session, 'steps')));
    await loseJobs(servers.databaseUrl, redisUrl);
    const from = performance.now();
    const ended = Promise.all(active.map((id) => stack.completed(id))).then(() => performance.now() - from);
    while ((await missingJobs(stack)) > 0) await delay(POLL_MS);
    const paused = performance.now() - from;
    return { paused, active: await ended };
  } finally {
    await reconciler.stop();
    await stack.stop();
  }
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

for (const backend of ['redis', 'postgres'] as const) {
  const servers = await startServers();
  try {
    const { paused, active } = await recovery(servers, backend === 'redis' ? servers.redisUrl : null);
    console.log(
      `${backend}: ${sizes.paused} paused runs have their jobs again after ${seconds(paused)}, ` +
        `${sizes.active} active ones are completed after ${seconds(active)}; load ${loadavg()[0]!.toFixed(1)}`,
    );
  } finally {
    await servers.stop();
  }
}

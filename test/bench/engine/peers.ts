import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { newId } from '#contracts/ids.js';
import { createDatabase } from '#db/client.js';
import { advance } from '#engine/runs/advance.js';
import { startRun } from '#engine/runs/start.js';
import { Queue, Worker, createPostgresBackend, createRedisBackend } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { benchGraphs } from './graphs.js';
import { throughput } from './figures.js';

/** One run of the ten-step graph in this process, under a saver. */
async function invoke(thread: string, saver: object, events: object): Promise<void> {
  const definition = benchGraphs.get('steps')!;
  const run = { id: thread } as never;
  const graph = (await definition.build(run, events as never, new AbortController().signal)).compile({
    checkpointer: saver as BaseCheckpointSaver,
  });
  const config = { configurable: { thread_id: thread }, durability: 'sync' as const };
  await graph.invoke(await definition.initialState(run), config);
}

/** Runs per second in one process with LangGraph's own PostgresSaver: no queue, no events, no lease. */
export async function postgresSaverRuns(databaseUrl: string, count: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 });
  const saver = new PostgresSaver(pool);
  await saver.setup();
  const run = () => invoke(newId('run'), saver, { emit: () => undefined });
  await throughput(60, 20, run);
  const perSecond = await throughput(count, 20, run);
  await pool.end();
  return perSecond;
}

/**
 * Measures the same with our saver: each run is inserted, claimed and ended, and its events are committed with its
 * checkpoints. The sessions of the runs, which PostgresSaver does not have, are created before.
 */
export async function ownSaverRuns(databaseUrl: string, count: number): Promise<number> {
  const db = createDatabase(databaseUrl, 8);
  const log = { info: () => undefined, warn: () => undefined, error: console.error };
  const queues = { add: () => Promise.resolve() } as never;
  const engine = { db, queues, log, kinds: new Map() };
  const tenantId = newId('ten');
  await db.tenant.create({ data: { id: tenantId, name: 'in process', maxActiveRuns: 1_000 } });
  const warmUp = 60;
  const sessions = Array.from({ length: warmUp + count }, () => ({ id: newId('ses'), tenantId }));
  await db.session.createMany({ data: sessions });
  const run = async () => {
    const sessionId = sessions.pop()!.id;
    const given = { tenantId, sessionId, kind: 'steps', mode: null, inputs: {}, graphVersion: 'bench' };
    const { id: runId } = await startRun(engine, given);
    await advance(engine, benchGraphs, { v: 1, run_id: runId, epoch: 0 }, new AbortController().signal);
  };
  await throughput(warmUp, 20, run);
  const perSecond = await throughput(count, 20, run);
  await db.$disconnect();
  return perSecond;
}

/** Returns the empty jobs per second that BullMQ delivers to one worker with a concurrency of ten. */
export async function rawJobs(queueUrl: string, count: number): Promise<number> {
  const isRedis = queueUrl.startsWith('redis');
  const pool = isRedis
    ? null
    : new pg.Pool({ connectionString: queueUrl, max: 5, options: '-c search_path=bullmq' });
  const connection = (pool ?? new Redis(queueUrl, { maxRetriesPerRequest: null })) as never;
  const factory = (isRedis ? createRedisBackend : createPostgresBackend) as never;
  const queue = new Queue('noop', { connection }, factory);
  const jobs = Array.from({ length: count }, (_, index) => ({
    name: 'noop',
    data: { index },
    opts: { removeOnComplete: true },
  }));
  for (let from = 0; from < count; from += 500) await queue.addBulk(jobs.slice(from, from + 500));
  let done = 0;
  const from = performance.now();
  await new Promise<void>((resolve) => {
    const worker = new Worker(
      'noop',
      async () => {
        done += 1;
        if (done === count) setImmediate(() => void worker.close().then(() => resolve()));
        return Promise.resolve();
      },
      { connection, concurrency: 10 },
      factory,
    );
    worker.on('error', () => undefined);
  });
  const perSecond = Math.round((count / (performance.now() - from)) * 1000);
  await queue.close();
  if (pool) await pool.end();
  else (connection as Redis).disconnect();
  return perSecond;
}

import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { Queue, Worker, createPostgresBackend, createRedisBackend } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { benchGraphs } from './graphs.js';
import { throughput } from './figures.js';

/** Runs per second of the same ten-step graph in this process with LangGraph's own PostgresSaver: no queue, no events. */
export async function postgresSaverRuns(databaseUrl: string, count: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 });
  const saver = new PostgresSaver(pool);
  await saver.setup();
  const nobody = { emit: () => undefined } as never;
  const definition = benchGraphs.get('steps')!;
  const run = async (index: number) => {
    const graph = (
      await definition.build({ id: `peer_${index}` } as never, nobody, new AbortController().signal)
    ).compile({
      checkpointer: saver as unknown as BaseCheckpointSaver,
    });
    const config = { configurable: { thread_id: `peer_${index}` }, durability: 'sync' as const };
    await graph.invoke(await definition.initialState({} as never), config);
  };
  for (let index = 0; index < 10; index++) await run(-index - 1);
  const perSecond = await throughput(count, 20, run);
  await pool.end();
  return perSecond;
}

/** Jobs per second that BullMQ delivers when they do nothing: one worker, ten at once. */
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

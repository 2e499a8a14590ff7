/**
 * Measures the run engine on both queue backends: `npm run bench:engine [-- --json file] [--quick]`. Starts its own PostgreSQL
 * (from npm, writing to the disk) and Redis (from this machine), two runners and a task worker as processes. Beside it, in
 * the same minutes: LangGraph's PostgresSaver in one process, its development server, and BullMQ with jobs that do nothing.
 */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { completeTask } from '#run-engine/complete.js';
import { BenchStack, startServers } from './engine/bench-stack.js';
import { checkpointPuts } from './engine/checkpoint-put.js';
import { percentiles, throughput, timed, type Percentiles } from './engine/figures.js';
import { devServer, type DevServerFigures } from './engine/dev-server.js';
import { pausedRuns, type PausedFigures } from './engine/paused.js';
import { ownSaverRuns, postgresSaverRuns, rawJobs } from './engine/peers.js';

interface BackendFigures {
  runsPerSecond: number;
  runMs: Percentiles;
  answerToNextStepMs: Percentiles;
  answerToDoneMs: Percentiles;
  firstEventMs: Percentiles;
  hopMs: Percentiles;
  checkpointPutMs: Percentiles;
  rawJobsPerSecond: number;
  paused: PausedFigures;
}

const RUNNERS = 2;
const series = async (count: number, sample: () => Promise<number>): Promise<Percentiles> => {
  const values: number[] = [];
  for (let index = 0; index < count + 3; index++) {
    const value = await sample();
    if (index >= 3) values.push(value);
  }
  return percentiles(values);
};

async function answered(stack: BenchStack): Promise<{ next: number; done: number }> {
  const runId = await stack.start(await stack.session(), 'ask');
  await stack.until(runId, 'waiting');
  const task = await stack.db.task.findFirstOrThrow({ where: { runId } });
  const from = performance.now();
  await completeTask(stack.engine, task.id, runId, { ok: true, output: { text: 'yes' } }, 'bench');
  await stack.until(runId, 'completed');
  const done = performance.now() - from;
  // The step after the answer is known by the database's clock: between the answer and the node's own event.
  const [row] = await stack.db.$queryRaw<{ ms: number }[]>`
    SELECT extract(epoch FROM (e.at - t.completed_at)) * 1000 AS ms FROM tasks t JOIN run_events e ON e.run_id = t.run_id
    WHERE t.id = ${task.id} AND e.type = 'node_complete'`;
  return { next: Number(row!.ms), done };
}

async function firstEvent(stack: BenchStack): Promise<number> {
  const sessionId = await stack.session();
  let runId: string | null = null;
  const heard = stack.onEvent(() => runId);
  const ms = await timed(async () => {
    runId = await stack.start(sessionId, 'steps');
    await heard;
  });
  await stack.until(runId!, 'completed');
  return ms;
}

/** From the pause to the step after it, by the database's clock: the task's job, its worker, and the way back. */
async function hop(stack: BenchStack): Promise<number> {
  const runId = await stack.start(await stack.session(), 'hop');
  await stack.until(runId, 'completed');
  const [row] = await stack.db.$queryRaw<{ ms: number }[]>`
    SELECT extract(epoch FROM (max(e.at) FILTER (WHERE e.data->>'status' = 'running') - min(e.at) FILTER (WHERE e.data->>'status' = 'waiting'))) * 1000 AS ms
    FROM run_events e WHERE e.run_id = ${runId} AND e.type = 'run_status'`;
  return Number(row!.ms);
}

async function backend(
  databaseUrl: string,
  queueUrl: string,
  put: Percentiles,
  quick: boolean,
): Promise<BackendFigures> {
  const rawJobsPerSecond = queueUrl === databaseUrl ? 0 : await rawJobs(queueUrl, quick ? 1_000 : 4_000);
  const stack = await BenchStack.start(databaseUrl, queueUrl, RUNNERS);
  const samples = quick ? 15 : 60;
  try {
    const one = async () => {
      const sessionId = await stack.session();
      return timed(async () => stack.until(await stack.start(sessionId, 'steps'), 'completed'));
    };
    const busy = async () => stack.completed(await stack.start(await stack.session(), 'steps'));
    await throughput(60, 20, busy);
    const runMs = await series(samples, one);
    const runsPerSecond = await throughput(quick ? 100 : 400, 20, busy);
    const answers: { next: number; done: number }[] = [];
    for (let index = 0; index < samples; index++) answers.push(await answered(stack));
    return {
      runsPerSecond,
      runMs,
      answerToNextStepMs: percentiles(answers.map(({ next }) => next)),
      answerToDoneMs: percentiles(answers.map(({ done }) => done)),
      firstEventMs: await series(samples, () => firstEvent(stack)),
      hopMs: await series(samples, () => hop(stack)),
      checkpointPutMs: put,
      rawJobsPerSecond: rawJobsPerSecond || (await rawJobs(queueUrl, quick ? 500 : 1_500)),
      paused: await pausedRuns(stack, queueUrl === databaseUrl ? null : queueUrl, quick ? 200 : 1_000),
    };
  } finally {
    await stack.stop();
  }
}

interface BenchResult {
  load: number[];
  redis: BackendFigures;
  postgres: BackendFigures;
  runnersOnRedis: Record<number, number>;
  peers: {
    postgresSaverPutMs: Percentiles;
    inProcess: { postgresSaver: number; product: number };
    langgraphServer: DevServerFigures | null;
  };
}

const show = (value: number | Percentiles | PausedFigures) => {
  if (typeof value === 'number') return String(value);
  if ('p50' in value) return `${value.p50} / ${value.p95}`;
  const bytes = value.redisBytesPerRun === null ? '' : `, ${value.redisBytesPerRun} bytes each in Redis`;
  return `${value.runs}${bytes}; ${value.runsPerSecond} runs/s beside`;
};
const ratio = (ours: number, theirs: number) => `${(ours / theirs).toFixed(2)}×`;

function print({ load, redis, postgres, runnersOnRedis, peers }: BenchResult): void {
  console.table(
    Object.fromEntries(
      Object.keys(redis).map((key) => {
        const name = key as keyof BackendFigures;
        return [name, { redis: show(redis[name]), postgres: show(postgres[name]) }];
      }),
    ),
  );
  const { postgresSaverPutMs: put, inProcess, langgraphServer: server } = peers;
  console.log(
    `Checkpoint put beside PostgresSaver (${show(put)} ms): ${ratio(redis.checkpointPutMs.p50, put.p50)}`,
  );
  console.log(
    `In one process: ${inProcess.product} runs/s, PostgresSaver ${inProcess.postgresSaver}: ${ratio(inProcess.product, inProcess.postgresSaver)}`,
  );
  if (server) {
    console.log(
      `LangGraph's development server: ${server.runsPerSecond} runs/s, run ${show(server.runMs)} ms, first event ${show(server.firstEventMs)} ms`,
    );
    console.log(
      `Runs/s beside it: ${ratio(redis.runsPerSecond, server.runsPerSecond)} on Redis, ${ratio(postgres.runsPerSecond, server.runsPerSecond)} on PostgreSQL`,
    );
  } else console.log("LangGraph's development server could not be installed: no comparison with it.");
  console.log(`Runs/s on Redis by runners: ${JSON.stringify(runnersOnRedis)}`);
  console.log(`Load average: ${load.map((value) => value.toFixed(1)).join(' ')}`);
}

/** Runs per second by number of runners, on Redis. */
async function scaling(
  databaseUrl: string,
  redisUrl: string,
  count: number,
): Promise<Record<number, number>> {
  const result: Record<number, number> = {};
  for (const runners of [1, 2, 4]) {
    const stack = await BenchStack.start(databaseUrl, redisUrl, runners);
    const one = async () => stack.completed(await stack.start(await stack.session(), 'steps'));
    await throughput(60, 20, one);
    result[runners] = await throughput(count, 20, one);
    await stack.stop();
  }
  return result;
}

const { values: options } = parseArgs({
  options: { json: { type: 'string' }, quick: { type: 'boolean', default: false } },
});
const { quick } = options;
const servers = await startServers();
try {
  const { databaseUrl, redisUrl } = servers;
  const puts = await checkpointPuts(databaseUrl);
  const inProcess = {
    postgresSaver: await postgresSaverRuns(databaseUrl, quick ? 100 : 300),
    product: await ownSaverRuns(databaseUrl, quick ? 100 : 300),
  };
  const langgraphServer = await devServer(quick ? 60 : 200, quick ? 10 : 30);
  const redis = await backend(databaseUrl, redisUrl, puts.product, quick);
  const postgres = await backend(databaseUrl, databaseUrl, puts.product, quick);
  const runnersOnRedis = await scaling(databaseUrl, redisUrl, quick ? 100 : 300);
  const peers = { postgresSaverPutMs: puts.postgresSaver, inProcess, langgraphServer };
  const result = { runners: RUNNERS, load: loadavg(), redis, postgres, runnersOnRedis, peers };
  print(result);
  if (options.json) await writeFile(options.json, `${JSON.stringify(result, null, 2)}\n`);
} finally {
  await servers.stop();
}

/**
 * Measures the run engine on both queue backends: `npm run bench:engine [-- --json file] [--quick]`. Starts its own PostgreSQL
 * (from npm, writing to the disk) and Redis (from this machine), two runners, a task worker and a gateway as processes. `http` is
 * what a client of the gateway sees: POST, server-sent events, answer; so are DBOS and Restate driven, by turns with it.
 * `engineOnly` is the engine by calls from this process; beside it LangGraph's PostgresSaver in one process, and BullMQ with jobs
 * that do nothing.
 */
import { loadavg } from 'node:os';
import { completeTask } from '#engine/tasks/complete.js';
import { BenchStack, startServers } from './engine/bench-stack.js';
import { checkpointPuts } from './engine/checkpoint-put.js';
import { percentiles, throughput, timed, type Percentiles } from './engine/figures.js';
import { printResult, type BackendFigures } from './engine/print-result.js';
import { pausedRuns } from './engine/paused.js';
import { hopMs } from './engine/hop.js';
import { besidePeers } from './engine/beside-peers.js';
import { cpuPerRun } from './engine/cpu.js';
import { overHttp } from './engine/over-http.js';
import { benchOptions } from './options.js';
import { ownSaverRuns, postgresSaverRuns, rawJobs } from './engine/peers.js';

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

async function hop(stack: BenchStack): Promise<number> {
  const runId = await stack.start(await stack.session(), 'hop');
  await stack.until(runId, 'completed');
  return hopMs(stack.db, runId);
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
    const runs = quick ? 100 : 400;
    let runsPerSecond = 0;
    const groups = { caller: [process.pid], ...(await stack.processGroups()) };
    const cpuMsPerRun = await cpuPerRun(groups, runs, async () => {
      runsPerSecond = await throughput(runs, 20, busy);
    });
    const answers: { next: number; done: number }[] = [];
    for (let index = 0; index < samples; index++) answers.push(await answered(stack));
    const engineOnly = {
      runsPerSecond,
      cpuMsPerRun,
      runMs,
      answerToNextStepMs: percentiles(answers.map(({ next }) => next)),
      answerToDoneMs: percentiles(answers.map(({ done }) => done)),
      firstEventMs: await series(samples, () => firstEvent(stack)),
      hopMs: await series(samples, () => hop(stack)),
      checkpointPutMs: put,
      rawJobsPerSecond: rawJobsPerSecond || (await rawJobs(queueUrl, quick ? 500 : 1_500)),
      paused: await pausedRuns(stack, queueUrl === databaseUrl ? null : queueUrl, quick ? 200 : 1_000),
    };
    return { http: await overHttp(stack, { databaseUrl, queueUrl }, quick), engineOnly };
  } finally {
    await stack.stop();
  }
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

const { isQuick: quick, save } = benchOptions();
const servers = await startServers();
try {
  const { databaseUrl, redisUrl } = servers;
  const puts = await checkpointPuts(databaseUrl);
  const inProcess = {
    postgresSaver: await postgresSaverRuns(databaseUrl, quick ? 100 : 300),
    product: await ownSaverRuns(databaseUrl, quick ? 100 : 300),
  };
  const durable = await besidePeers(databaseUrl, redisUrl, quick);
  const redis = await backend(databaseUrl, redisUrl, puts.product, quick);
  const postgres = await backend(databaseUrl, databaseUrl, puts.product, quick);
  const runnersOnRedis = await scaling(databaseUrl, redisUrl, quick ? 100 : 300);
  const peers = { postgresSaverPutMs: puts.postgresSaver, inProcess, durable };
  const result = { runners: RUNNERS, load: loadavg(), redis, postgres, runnersOnRedis, peers };
  printResult(result);
  save(result);
} finally {
  await servers.stop();
}

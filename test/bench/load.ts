/**
 * Loads the whole service: `npm run bench:load [-- --runs 1000 --paused 10000 --minutes 30 --json file]`. The processes of
 * one machine on PostgreSQL (from npm) and Redis (from this machine), with a model that answers in 200 ms.
 *
 * Four parts: a quiet tenant alone; the same beside a noisy one that submits all its runs at once; the same beside runs
 * that wait for an answer; and a steady load, under which the memory of every process is watched.
 */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { percentiles, throughput, type Percentiles } from './engine/figures.js';
import { LoadStack } from './load/load-stack.js';
import { drifts, watchMemory, type Drift } from './load/memory.js';

const SAMPLES = 30;
/** Requests in flight while runs are submitted. */
const SUBMITTERS = 16;
/** Runs in flight under the steady load. */
const LANES = 4;
const SAMPLE_MS = 10_000;

interface LoadResult {
  quietAloneMs: Percentiles;
  noisy: { runs: number; seconds: number; quietMs: Percentiles; ratioP95: number };
  paused: { runs: number; redisBytesPerRun: number; quietMs: Percentiles; ratioP95: number };
  steady: { minutes: number; runs: number; memoryMiB: Record<string, Drift> };
  load: number[];
}

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    paused: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: '30' },
    json: { type: 'string' },
  },
});
const say = (line: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
const ratioOf = (ours: Percentiles, alone: Percentiles) => Math.round((ours.p95 / alone.p95) * 100) / 100;

type Tenant = Awaited<ReturnType<LoadStack['tenant']>>;

async function noisyNeighbour(stack: LoadStack, quiet: Tenant, runs: number, alone: Percentiles) {
  const noisy = await stack.tenant('noisy', runs);
  const from = performance.now();
  await throughput(runs, SUBMITTERS, () => stack.submit(noisy.api));
  say(`${runs} runs of the noisy tenant are in`);
  const [values] = await Promise.all([
    stack.latencies(quiet.api, SAMPLES),
    stack.reached(noisy.id, 'completed', runs),
  ]);
  const quietMs = percentiles(values);
  return {
    runs,
    seconds: Math.round((performance.now() - from) / 1_000),
    quietMs,
    ratioP95: ratioOf(quietMs, alone),
  };
}

async function pausedNeighbours(stack: LoadStack, quiet: Tenant, runs: number, alone: Percentiles) {
  const asking = await stack.tenant('asking', runs);
  const bytes = async () => {
    const now = new AbortController();
    const sampled = watchMemory(() => ({}), stack.redisUrl, 1, now.signal);
    now.abort();
    return ((await sampled)[0]?.['redis'] ?? 0) * 1024 * 1024;
  };
  const before = await bytes();
  await throughput(runs, SUBMITTERS, () => stack.submit(asking.api, true));
  await stack.reached(asking.id, 'waiting', runs);
  const redisBytesPerRun = Math.round(((await bytes()) - before) / runs);
  const quietMs = percentiles(await stack.latencies(quiet.api, SAMPLES));
  return { runs, redisBytesPerRun, quietMs, ratioP95: ratioOf(quietMs, alone) };
}

async function steadyLoad(stack: LoadStack, minutes: number) {
  const tenant = await stack.tenant('steady', LANES);
  const end = Date.now() + minutes * 60_000;
  const over = new AbortController();
  const watched = watchMemory(() => stack.pids(), stack.redisUrl, SAMPLE_MS, over.signal);
  let runs = 0;
  const lane = async () => {
    while (Date.now() < end) {
      await stack.latencies(tenant.api, 1);
      runs += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  over.abort();
  return { minutes, runs, memoryMiB: drifts(await watched) };
}

function print({ quietAloneMs, noisy, paused, steady, load }: LoadResult): void {
  console.table({
    alone: { ...quietAloneMs, ratio: 1 },
    [`beside ${noisy.runs} runs of a noisy tenant`]: { ...noisy.quietMs, ratio: noisy.ratioP95 },
    [`beside ${paused.runs} paused runs`]: { ...paused.quietMs, ratio: paused.ratioP95 },
  });
  console.log(
    `The noisy tenant's ${noisy.runs} runs took ${noisy.seconds} s from the first request to the last end.`,
  );
  console.log(`A paused run holds ${paused.redisBytesPerRun} bytes in Redis.`);
  console.log(
    `Steady load: ${steady.runs} runs in ${steady.minutes} minutes; MiB in the second and in the last third:`,
  );
  console.table(steady.memoryMiB);
  console.log(`Load average: ${load.map((value) => value.toFixed(1)).join(' ')}`);
}

const stack = await LoadStack.start();
try {
  const quiet = await stack.tenant('quiet', 4);
  await stack.latencies(quiet.api, 5);
  const quietAloneMs = percentiles(await stack.latencies(quiet.api, SAMPLES));
  say(`a quiet tenant alone: ${quietAloneMs.p50} ms, p95 ${quietAloneMs.p95} ms`);
  const noisy = await noisyNeighbour(stack, quiet, Number(options.runs), quietAloneMs);
  say(`beside a noisy tenant: p95 ${noisy.quietMs.p95} ms`);
  const paused = await pausedNeighbours(stack, quiet, Number(options.paused), quietAloneMs);
  say(`beside paused runs: p95 ${paused.quietMs.p95} ms`);
  const steady = await steadyLoad(stack, Number(options.minutes));
  const result = { quietAloneMs, noisy, paused, steady, load: loadavg() };
  print(result);
  if (options.json) await writeFile(options.json, `${JSON.stringify(result, null, 2)}\n`);
} finally {
  await stack.stop();
}

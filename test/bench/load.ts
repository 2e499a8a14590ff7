/**
 * Loads the whole service: `npm run bench:load [-- --runs 1000 --paused 10000 --minutes 30 --json file]`. The processes of
 * one machine on PostgreSQL (from npm) and Redis (from this machine), with a model that answers in 200 ms.
 *
 * Five parts: a quiet tenant alone; the quiet tenant next to a noisy one that submits hundreds of runs at once under the
 * default cap of a tenant; many concurrently active runs; the quiet tenant next to runs that wait for an answer; and a
 * steady load, during which the memory of every process is recorded. A part of 0 runs or minutes is skipped.
 */
import { loadavg } from 'node:os';
import { percentiles, throughput, type Percentiles } from './engine/figures.js';
import { LoadStack } from './load/load-stack.js';
import { benchOptions } from './options.js';
import { redisMemory } from './redis-memory.js';
import { drifts, watchMemory, type Drift } from './load/memory.js';

/** Requests in flight while runs are submitted. */
const SUBMITTERS = 16;
/** Runs in flight under the steady load. */
const LANES = 4;
const SAMPLE_MS = 10_000;

interface LoadResult {
  quietAloneMs: Percentiles;
  noisy: { runs: number; cap: number; quietMs: Percentiles; ratioP95: number };
  concurrent: { runs: number; seconds: number; runsPerSecond: number } | null;
  paused: { runs: number; redisBytesPerRun: number; quietMs: Percentiles; ratioP95: number } | null;
  steady: { minutes: number; runs: number; memoryMiB: Record<string, Drift> } | null;
  load: number[];
}

const { sizes, save } = benchOptions({
  samples: [30, 2],
  /** Enough that the noisy tenant is still busy when the quiet one is done. */
  noisy: [300, 40],
  runs: [1_000, 10],
  paused: [10_000, 10],
  minutes: [30, 0],
});
const log = (line: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
const ratioOf = (ours: Percentiles, alone: Percentiles) => Math.round((ours.p95 / alone.p95) * 100) / 100;

type Tenant = Awaited<ReturnType<LoadStack['tenant']>>;

async function noisyNeighbour(stack: LoadStack, quiet: Tenant, alone: Percentiles) {
  const noisy = await stack.tenant('noisy');
  await throughput(sizes.noisy, SUBMITTERS, () => stack.submit(noisy.api));
  const quietMs = percentiles(await stack.latencies(quiet.api, sizes.samples));
  const { maxActiveRuns: cap } = await stack.db.tenant.findUniqueOrThrow({ where: { id: noisy.id } });
  if (await stack.isDone(noisy.id)) throw new Error('the noisy tenant was done before the quiet one');
  await stack.reached(noisy.id, 'completed', sizes.noisy);
  return { runs: sizes.noisy, cap, quietMs, ratioP95: ratioOf(quietMs, alone) };
}

async function concurrentRuns(stack: LoadStack, runs: number) {
  const tenant = await stack.tenant('concurrent', runs);
  const from = performance.now();
  await throughput(runs, SUBMITTERS, () => stack.submit(tenant.api));
  log(`${runs} runs are in`);
  await stack.reached(tenant.id, 'completed', runs);
  const seconds = Math.round((performance.now() - from) / 1_000);
  return { runs, seconds, runsPerSecond: Math.round((runs / seconds) * 100) / 100 };
}

async function pausedNeighbours(stack: LoadStack, quiet: Tenant, runs: number, alone: Percentiles) {
  const asking = await stack.tenant('asking', runs);
  const before = await redisMemory(stack.redisUrl);
  await throughput(runs, SUBMITTERS, () => stack.submit(asking.api, true));
  await stack.reached(asking.id, 'waiting', runs);
  const redisBytesPerRun = Math.round(((await redisMemory(stack.redisUrl)) - before) / runs);
  const quietMs = percentiles(await stack.latencies(quiet.api, sizes.samples));
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

function print({ quietAloneMs, noisy, concurrent, paused, steady, load }: LoadResult): void {
  console.table({
    alone: { ...quietAloneMs, ratio: 1 },
    [`beside ${noisy.runs} runs of a noisy tenant, ${noisy.cap} at a time`]: {
      ...noisy.quietMs,
      ratio: noisy.ratioP95,
    },
    ...(paused && { [`beside ${paused.runs} paused runs`]: { ...paused.quietMs, ratio: paused.ratioP95 } }),
  });
  if (concurrent)
    console.log(
      `${concurrent.runs} runs at once: ${concurrent.seconds} s, ${concurrent.runsPerSecond} a second, all completed.`,
    );
  if (paused) console.log(`A paused run holds ${paused.redisBytesPerRun} bytes in Redis.`);
  if (steady) {
    console.log(
      `Steady load: ${steady.runs} runs in ${steady.minutes} minutes; MiB in the second and in the last third:`,
    );
    console.table(steady.memoryMiB);
  }
  console.log(`Load average: ${load.map((value) => value.toFixed(1)).join(' ')}`);
}

const stack = await LoadStack.start();
try {
  const quiet = await stack.tenant('quiet');
  await stack.latencies(quiet.api, 5);
  const quietAloneMs = percentiles(await stack.latencies(quiet.api, sizes.samples));
  log(`a quiet tenant alone: ${quietAloneMs.p50} ms, p95 ${quietAloneMs.p95} ms`);
  const noisy = await noisyNeighbour(stack, quiet, quietAloneMs);
  log(`beside a noisy tenant: p95 ${noisy.quietMs.p95} ms`);
  const { runs, paused: pausedCount, minutes } = sizes;
  const concurrent = runs > 0 ? await concurrentRuns(stack, runs) : null;
  const paused = pausedCount > 0 ? await pausedNeighbours(stack, quiet, pausedCount, quietAloneMs) : null;
  if (paused) log(`beside paused runs: p95 ${paused.quietMs.p95} ms`);
  const steady = minutes > 0 ? await steadyLoad(stack, minutes) : null;
  const result = { quietAloneMs, noisy, concurrent, paused, steady, load: loadavg() };
  print(result);
  save(result);
} finally {
  await stack.stop();
}

/**
 * Measures a tenant's plan of three concurrent calls during another tenant's flood of hostile calls, as a multiple of
 * its usual time, on the whole system. Usage: node dist/test/bench/neighbour.js [--json FILE]
 */
import { startStack } from '#embedded/stack.js';
import type { ApiClient } from '#testing/api-client.js';
import { HostileFlood, runSmallPlan } from '#testing/hostile-flood.js';
import { newTenant } from '#testing/test-stack.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentiles } from './engine/figures.js';
import { benchOptions } from './options.js';

const WARM_ROUNDS = 5;
const PLANS = 4;
const { sizes, save } = benchOptions({ rounds: [30, 2], calls: [50, 5] });

/** Milliseconds of each plan from its request to its last event. */
async function plansMs(client: ApiClient, rounds: number): Promise<number[]> {
  const times: number[] = [];
  while (times.length < rounds) times.push((await runSmallPlan(client)).ms);
  return times;
}

const flood = await HostileFlood.open();
const dataDir = await mkdtemp(join(tmpdir(), 'scriptorium-bench-neighbour-'));
const { PATH, HOME } = process.env;
const stack = await startStack({ dataDir, env: { PATH, HOME, LOG_LEVEL: 'error', ...flood.env } });
try {
  const tenant = (name: string) => newTenant(stack.url, String(stack.env['DATABASE_URL']), name);
  const [neighbour, hostile] = [await tenant('neighbour'), await tenant('hostile')];
  await plansMs(neighbour, WARM_ROUNDS);
  const alone = percentiles(await plansMs(neighbour, sizes.rounds));
  const runs = await flood.start(hostile, PLANS, sizes.calls);
  await plansMs(neighbour, WARM_ROUNDS);
  const beside = percentiles(await plansMs(neighbour, sizes.rounds));
  for (const run of runs) await hostile.post(`/api/agents/runs/${run}/cancel`);
  const figures = { aloneMs: alone, besideMs: beside, ratio: Number((beside.p50 / alone.p50).toFixed(2)) };
  console.log(JSON.stringify(figures, null, 2));
  save(figures);
} finally {
  await stack.stop();
  flood.close();
  await rm(dataDir, { recursive: true, force: true });
}

import { redisMemory } from '../redis-memory.js';
import type { BenchStack } from './bench-stack.js';
import { throughput } from './figures.js';

export interface PausedFigures {
  runs: number;
  /** Bytes that one paused run occupies in Redis; null on PostgreSQL, where a pause is rows. */
  redisBytesPerRun: number | null;
  /** Runs per second of the ten-step graph during the pauses: a pause occupies no slot. */
  runsPerSecond: number;
}

/** Pauses many runs at once for a person's answer, and measures their cost while they wait. */
export async function pausedRuns(
  stack: BenchStack,
  redisUrl: string | null,
  runs: number,
): Promise<PausedFigures> {
  const before = redisUrl === null ? 0 : await redisMemory(redisUrl);
  const pause = async () => stack.paused(await stack.start(await stack.session(), 'ask'));
  await throughput(runs, 20, pause);
  const after = redisUrl === null ? 0 : await redisMemory(redisUrl);
  const one = async () => stack.completed(await stack.start(await stack.session(), 'steps'));
  const runsPerSecond = await throughput(100, 20, one);
  return {
    runs,
    redisBytesPerRun: redisUrl === null ? null : Math.round((after - before) / runs),
    runsPerSecond,
  };
}

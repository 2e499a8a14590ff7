import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { redisMemory } from '../redis-memory.js';

const MIB = 1024 * 1024;

/** Megabytes by process name, and of Redis. */
export type MemorySample = Record<string, number>;

async function resident(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Current memory of every process and of Redis. */
async function memoryOf(pids: Record<string, number>, redisUrl: string): Promise<MemorySample> {
  const sample: MemorySample = {};
  for (const [name, pid] of Object.entries(pids)) sample[name] = await resident(pid);
  sample['redis'] = (await redisMemory(redisUrl)) / MIB;
  return sample;
}

/** Samples until stopped, every so many milliseconds. */
export async function watchMemory(
  pids: () => Record<string, number>,
  redisUrl: string,
  everyMs: number,
  signal: AbortSignal,
): Promise<MemorySample[]> {
  const samples: MemorySample[] = [];
  while (!signal.aborted) {
    samples.push(await memoryOf(pids(), redisUrl));
    await delay(everyMs, undefined, { signal }).catch(() => undefined);
  }
  return samples;
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

export interface Drift {
  /** Mean of the second third and of the last third, in MiB: the first third is the warm-up. */
  before: number;
  after: number;
  percent: number;
}

/** How the memory of each process changed from the second third of the samples to the last. */
export function drifts(samples: MemorySample[]): Record<string, Drift> {
  const third = Math.floor(samples.length / 3);
  const names = Object.keys(samples.at(-1) ?? {});
  return Object.fromEntries(
    names.map((name) => {
      const of = (from: number, to: number) =>
        mean(samples.slice(from, to).map((sample) => sample[name] ?? Number.NaN));
      const [before, after] = [of(third, 2 * third), of(2 * third, samples.length)];
      const percent = Math.round((after / before - 1) * 1_000) / 10;
      return [name, { before: Math.round(before), after: Math.round(after), percent }];
    }),
  );
}

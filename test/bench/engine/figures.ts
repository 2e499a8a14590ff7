/** Two percentiles of a series, in its unit. */
export interface Percentiles {
  p50: number;
  p95: number;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** Nearest-rank percentiles, rounded to two digits. */
export function percentiles(values: number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { p50: round(at(0.5)), p95: round(at(0.95)) };
}

/** Returns the milliseconds that a task takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Runs `count` tasks, at most `concurrency` at once; returns how many completed per second. */
export async function throughput(
  count: number,
  concurrency: number,
  work: (index: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const from = performance.now();
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return round((count / (performance.now() - from)) * 1000);
}

import { percentiles } from '../engine/figures.js';

/** A search that is measured. */
export interface Contender {
  run(query: string): Promise<unknown>;
  /** Interval of the rounds in which it takes part; all rounds if absent. */
  every?: number;
}

export interface Times {
  p50Ms: number;
  p95Ms: number;
}

const WARM_UP = 5;

/** Runs each contender on each query by turns. */
export async function race(
  contenders: Record<string, Contender>,
  queries: string[],
): Promise<Record<string, Times>> {
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, [] as number[]]));
  for (const query of queries.slice(0, WARM_UP))
    for (const { run } of Object.values(contenders)) await run(query);
  for (const [round, query] of queries.entries())
    for (const [name, { run, every = 1 }] of Object.entries(contenders)) {
      if (round % every > 0) continue;
      const started = performance.now();
      await run(query);
      times[name]!.push(performance.now() - started);
    }
  return Object.fromEntries(
    Object.entries(times).map(([name, all]) => {
      const { p50, p95 } = percentiles(all);
      return [name, { p50Ms: p50, p95Ms: p95 }];
    }),
  );
}

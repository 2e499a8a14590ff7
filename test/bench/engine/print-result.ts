import type { CpuByGroup } from './cpu.js';
import type { PeerFigures } from './beside-peers.js';
import type { Percentiles } from './figures.js';
import type { HttpFigures } from './over-http.js';
import type { PausedFigures } from './paused.js';

/** The engine by itself: calls into it from this process, without HTTP. */
export interface EngineFigures {
  runsPerSecond: number;
  /** Per run of ten steps, while 20 are under way; `caller` starts them and waits for them. */
  cpuMsPerRun: CpuByGroup | null;
  runMs: Percentiles;
  answerToNextStepMs: Percentiles;
  answerToDoneMs: Percentiles;
  firstEventMs: Percentiles;
  hopMs: Percentiles;
  checkpointPutMs: Percentiles;
  rawJobsPerSecond: number;
  paused: PausedFigures;
}

export interface BackendFigures {
  http: HttpFigures;
  engineOnly: EngineFigures;
}

export interface BenchResult {
  load: number[];
  redis: BackendFigures;
  postgres: BackendFigures;
  /** Engine only, by number of runners. */
  runnersOnRedis: Record<number, number>;
  peers: {
    postgresSaverPutMs: Percentiles;
    inProcess: { postgresSaver: number; product: number };
    /** The product first. */
    durable: PeerFigures[];
  };
}

type Figure = number | Percentiles | PausedFigures | CpuByGroup | null;

function show(value: Figure): string {
  if (value === null) return '–';
  if (typeof value === 'number') return String(value);
  if ('p50' in value) return `${value.p50} / ${value.p95}`;
  if ('all' in value) {
    const { all, ...groups } = value;
    const parts = Object.entries(groups).map(([name, ms]) => `${name} ${ms}`);
    return `${all} (${parts.join(', ')})`;
  }
  const { runs, redisBytesPerRun, runsPerSecond } = value as PausedFigures;
  const bytes = redisBytesPerRun === null ? '' : `, ${redisBytesPerRun} bytes each in Redis`;
  return `${runs}${bytes}; ${runsPerSecond} runs/s beside`;
}

const ratio = (ours: number, theirs: number) => `${(ours / theirs).toFixed(2)}×`;

function table(redis: object, postgres: object): void {
  const other = new Map<string, Figure>(Object.entries(postgres));
  const rows = Object.entries(redis).map(
    ([name, value]) =>
      [name, { redis: show(value as Figure), postgres: show(other.get(name) ?? null) }] as const,
  );
  console.table(Object.fromEntries(rows));
}

const median = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const medianCpu = ({ cpuMsPerRun }: PeerFigures) => median(cpuMsPerRun.map((cpu) => cpu?.['all'] ?? NaN));

/** Prints the product beside other durable engines; the ratio of the rounds counts, not the milliseconds. */
function printDurable(figures: PeerFigures[]): void {
  console.log('Ten steps and a question over HTTP, 20 runs at once, by turns (medians of the rounds)');
  const [product] = figures;
  const rows = figures.map((one) => [
    one.name,
    {
      'CPU ms a run': medianCpu(one),
      rounds: one.cpuMsPerRun.map((cpu) => cpu?.['all'] ?? '–').join(' '),
      'product is': ratio(medianCpu(product!), medianCpu(one)),
      'runs/s': median(one.runsPerSecond),
      'answer to end, ms': show(one.answerToDoneMs),
    },
  ]);
  console.table(Object.fromEntries(rows));
  if (figures.length === 1) console.log('DBOS and Restate could not be installed: no comparison with them.');
}

/** Prints the figures as tables, with their ratios to the peers'. */
export function printResult({ load, redis, postgres, runnersOnRedis, peers }: BenchResult): void {
  const { postgresSaverPutMs: put, inProcess, durable } = peers;
  console.log('Over HTTP, through a gateway process (p50 / p95)');
  table(redis.http, postgres.http);
  printDurable(durable);
  console.log('The engine only, by calls');
  table(redis.engineOnly, postgres.engineOnly);
  console.log(
    `Checkpoint put beside PostgresSaver (${show(put)} ms): ${ratio(redis.engineOnly.checkpointPutMs.p50, put.p50)}`,
  );
  console.log(
    `In one process: ${inProcess.product} runs/s, PostgresSaver ${inProcess.postgresSaver}: ${ratio(inProcess.product, inProcess.postgresSaver)}`,
  );
  console.log(`Runs/s on Redis by runners: ${JSON.stringify(runnersOnRedis)}`);
  console.log(`Load average: ${load.map((value) => value.toFixed(1)).join(' ')}`);
}

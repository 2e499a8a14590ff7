import type { CpuByGroup } from './cpu.js';
import type { DevServerFigures } from './dev-server.js';
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
    langgraphServer: DevServerFigures | null;
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

/** Prints the figures as tables, with their ratios to the peers'. */
export function printResult({ load, redis, postgres, runnersOnRedis, peers }: BenchResult): void {
  const { postgresSaverPutMs: put, inProcess, langgraphServer: server } = peers;
  console.log('Over HTTP, through a gateway process (p50 / p95)');
  table(redis.http, postgres.http);
  if (server) {
    const { runsPerSecond, runMs, firstEventMs, cpuMsPerRun } = server;
    console.log(
      `LangGraph's development server: ${runsPerSecond} runs/s, run ${show(runMs)} ms, first event ${show(firstEventMs)} ms, CPU ${show(cpuMsPerRun)} ms a run`,
    );
    console.log(
      `Runs/s beside it: ${ratio(redis.http.runsPerSecond, runsPerSecond)} on Redis, ${ratio(postgres.http.runsPerSecond, runsPerSecond)} on PostgreSQL`,
    );
  } else console.log("LangGraph's development server could not be installed: no comparison with it.");
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

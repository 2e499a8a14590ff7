import type { StubFault } from '#testing/model-stub.js';
import type { TestStack } from '#testing/test-stack.js';
import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { OwnServers } from './servers.js';
import type { Chance } from './random.js';

/** What faults act on. `servers` is there only when they belong to the harness. */
export interface Target {
  stack: TestStack;
  queueUrl: string;
  servers: OwnServers | null;
  /** Faults of the model by number of the request. */
  modelFaults: Record<number, StubFault>;
  modelRequests: () => number;
}

export interface Fault {
  name: string;
  weight: number;
  apply(target: Target, chance: Chance): Promise<void>;
}

const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ESRCH';

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!isGone(error)) throw error; // it died by itself or by another fault
  }
}

const anyPid = ({ stack }: Target, chance: Chance, kind?: string): number | undefined => {
  const pids = Object.entries(stack.pids()).filter(([name]) => kind === undefined || name.startsWith(kind));
  return pids.length === 0 ? undefined : chance.pick(pids)[1];
};

async function stopFor(pid: number | undefined, ms: number): Promise<void> {
  if (pid === undefined) return;
  signal(pid, 'SIGSTOP');
  await delay(ms);
  signal(pid, 'SIGCONT');
}

const onDatabase = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(sql).catch(() => undefined); // it may end this very session
  await client.end().catch(() => undefined);
};

async function loseQueue({ queueUrl }: Target): Promise<void> {
  if (!queueUrl.startsWith('redis')) {
    await onDatabase(
      queueUrl,
      `DO $$ DECLARE names text; BEGIN
        SELECT string_agg(format('bullmq.%I', tablename), ', ') INTO names FROM pg_tables
        WHERE schemaname = 'bullmq' AND tablename NOT LIKE '%migration%';
        EXECUTE 'TRUNCATE ' || names || ' CASCADE';
      END $$`,
    );
    return;
  }
  const redis = new Redis(queueUrl);
  await redis.flushdb();
  redis.disconnect();
}

const MODEL_FAULTS: StubFault[] = [
  { status: 429, retryAfter: '0' },
  { status: 500 },
  { status: 503 },
  { cutAfter: 1 },
  { cutAfter: 3, gently: true },
];

/** Seconds a stopped process sleeps at most; the lease of a run is 10 s, so the longest ones wake up fenced out. */
const LONG_SLEEP_MS = 13_000;

export const FAULTS: Fault[] = [
  {
    name: 'kill -9 of an agent-runner',
    weight: 5,
    apply: async (target, chance) => {
      const pid = anyPid(target, chance, 'agent-runner');
      if (pid !== undefined) signal(pid, 'SIGKILL');
      return Promise.resolve();
    },
  },
  {
    name: 'kill -9 of any process',
    weight: 5,
    apply: async (target, chance) => {
      const pid = anyPid(target, chance);
      if (pid !== undefined) signal(pid, 'SIGKILL');
      return Promise.resolve();
    },
  },
  {
    name: 'a short SIGSTOP of any process',
    weight: 3,
    apply: (target, chance) => stopFor(anyPid(target, chance), chance.between(200, 1_500)),
  },
  {
    name: 'a SIGSTOP of an agent-runner past its lease',
    weight: 1,
    apply: (target, chance) => stopFor(anyPid(target, chance, 'agent-runner'), LONG_SLEEP_MS),
  },
  { name: 'loss of every job', weight: 3, apply: loseQueue },
  {
    name: 'end of all database sessions',
    weight: 3,
    apply: ({ stack }) =>
      onDatabase(
        stack.database.url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      ),
  },
  {
    name: 'errors of the model',
    weight: 4,
    apply: async ({ modelFaults, modelRequests }, chance) => {
      const next = modelRequests() + 1;
      for (let index = 0; index < 3; index++) modelFaults[next + index * 2] = chance.pick(MODEL_FAULTS);
      return Promise.resolve();
    },
  },
];

/** Faults of servers that the harness owns. */
export const SERVER_FAULTS: Fault[] = [
  {
    name: 'restart of PostgreSQL',
    weight: 1,
    apply: ({ servers }) => servers!.restartPostgres(),
  },
  { name: 'restart of Redis', weight: 1, apply: ({ servers }) => servers!.restartRedis() },
];

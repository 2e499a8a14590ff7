import { loseJobsOnPostgres } from '#testing/lose-jobs.js';
import { onPostgres } from '#testing/on-postgres.js';
import { until } from '#testing/until.js';
import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, Target } from './fault.js';
import type { OwnServers } from './servers.js';

async function loseJobs({ servers, stack, count }: Target): Promise<void> {
  if (servers.redis) {
    const redis = new Redis(servers.redis.url, { maxRetriesPerRequest: 3 });
    await redis.flushall().finally(() => redis.disconnect());
  } else {
    await loseJobsOnPostgres(stack.database.url);
  }
  count('flushes');
}

const FAILURES_FUNCTION = 'fault_serialization';
/** Share of the updates of runs and tasks that fail during the fault. */
const FAILING_SHARE = 0.3;

/** During this fault, PostgreSQL ends many updates with a serialization failure (SQLSTATE 40001). */
async function failSerialization({ stack }: Target, ms: number): Promise<void> {
  const { url } = stack.database;
  const triggers = ['runs', 'tasks'];
  await onPostgres(
    url,
    `CREATE OR REPLACE FUNCTION ${FAILURES_FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF random() < ${FAILING_SHARE} THEN RAISE EXCEPTION 'could not serialize access' USING ERRCODE = '40001'; END IF;
       RETURN NEW;
     END $$;
     ${triggers
       .map(
         (table) => `CREATE OR REPLACE TRIGGER ${FAILURES_FUNCTION} BEFORE UPDATE ON ${table}
           FOR EACH ROW EXECUTE FUNCTION ${FAILURES_FUNCTION}();`,
       )
       .join('\n')}`,
  );
  await delay(ms);
  const end = triggers.map((table) => `DROP TRIGGER IF EXISTS ${FAILURES_FUNCTION} ON ${table};`).join('\n');
  // Repeat until it succeeds, because the server may be unavailable.
  await until(
    'the failing triggers are dropped',
    () =>
      onPostgres(url, end).then(
        () => 'dropped',
        (error: unknown) => error,
      ),
    (seen) => seen === 'dropped',
  );
}

const hasRedis = ({ redis }: OwnServers) => redis !== null;

export const SERVER_FAULTS: Fault[] = [
  { name: 'loss of every job', weight: 7, apply: loseJobs },
  {
    name: 'end of all database sessions',
    weight: 2,
    apply: ({ stack }) =>
      onPostgres(
        stack.database.url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      ),
  },
  {
    name: 'serialization failures',
    weight: 1,
    apply: (target, chance) => failSerialization(target, chance.between(300, 1_200)),
  },
  {
    name: 'restart of PostgreSQL',
    weight: 2,
    async apply({ servers, count }) {
      await servers.postgres.restart('fast');
      count('postgresRestarts');
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    weight: 2,
    async apply({ servers, count }) {
      await servers.postgres.restart('killed');
      count('postgresRestarts');
    },
  },
  {
    name: 'full disk of PostgreSQL',
    weight: 1,
    isPossible: ({ postgres }) => postgres.fillDisk !== null,
    apply: ({ servers }, chance) => servers.postgres.fillDisk!(chance.between(300, 2_500)),
  },
  {
    name: 'restart of Redis',
    weight: 1,
    isPossible: hasRedis,
    async apply({ servers, count }) {
      await servers.redis!.restart();
      count('redisRestarts');
    },
  },
  {
    name: 'restart of Redis with the end of its file cut off',
    weight: 1,
    isPossible: hasRedis,
    async apply({ servers, count }, chance) {
      await servers.redis!.restart(Math.round(chance.between(1, 4_096)));
      count('redisRestarts');
    },
  },
  {
    name: 'pause of Redis',
    weight: 1,
    isPossible: hasRedis,
    apply: ({ servers }, chance) => servers.redis!.pause(chance.between(500, 3_000)),
  },
  {
    name: 'full memory of Redis',
    weight: 1,
    isPossible: hasRedis,
    apply: ({ servers }, chance) => servers.redis!.fill(chance.between(500, 3_000)),
  },
];

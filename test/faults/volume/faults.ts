import { loseJobsOnPostgres } from '#testing/lose-jobs.js';
import { onPostgres } from '#testing/on-postgres.js';
import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnPostgres } from '../own-postgres.js';
import type { OwnRedis } from '../own-redis.js';
import type { Chance } from '../random.js';
import type { Keeper } from './keeper.js';

export interface VolumeTarget {
  keeper: Keeper;
  postgres: OwnPostgres;
  redis: OwnRedis | null;
}

export interface VolumeFault {
  name: string;
  weight: number;
  /** @returns how often the fault happened: a stopped process cannot be killed */
  apply(target: VolumeTarget, chance: Chance): Promise<number>;
}

/** Longer than the lease of a run and the lock of a job. */
const SLEEP_MS = { least: 11_000, most: 14_000 };

const once = async (work: Promise<void>): Promise<number> => {
  await work;
  return 1;
};

async function loseEveryJob({ postgres, redis }: VolumeTarget): Promise<number> {
  if (!redis) return once(loseJobsOnPostgres(postgres.url));
  const client = new Redis(redis.url, { maxRetriesPerRequest: 1 });
  client.on('error', () => undefined);
  try {
    await client.flushall();
    return 1;
  } finally {
    client.disconnect();
  }
}

/** Weights in the proportions of the promise: ten kills to two losses of the queue and one restart of PostgreSQL. */
export const VOLUME_FAULTS: readonly VolumeFault[] = [
  {
    name: 'kill',
    weight: 100,
    apply: ({ keeper }, chance) =>
      Promise.resolve(Number(keeper.signal(chance.pick(keeper.names()), 'SIGKILL'))),
  },
  {
    name: 'sleep past the lease',
    weight: 4,
    async apply({ keeper }, chance) {
      const name = chance.pick(keeper.names().filter((running) => running.startsWith('runner')));
      if (!keeper.signal(name, 'SIGSTOP')) return 0;
      await delay(chance.between(SLEEP_MS.least, SLEEP_MS.most));
      keeper.signal(name, 'SIGCONT');
      return 1;
    },
  },
  { name: 'loss of every job', weight: 22, apply: loseEveryJob },
  {
    name: 'restart of PostgreSQL',
    weight: 6,
    apply: ({ postgres }) => once(postgres.restart('fast')),
  },
  {
    name: 'kill of PostgreSQL',
    weight: 6,
    apply: ({ postgres }) => once(postgres.restart('killed')),
  },
  {
    name: 'full disk of PostgreSQL',
    weight: 3,
    apply: ({ postgres }, chance) =>
      postgres.fillDisk ? once(postgres.fillDisk(chance.between(300, 2_500))) : Promise.resolve(0),
  },
  {
    name: 'end of every session of PostgreSQL',
    weight: 6,
    apply: ({ postgres }) =>
      once(
        onPostgres(
          postgres.url,
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL',
        ),
      ),
  },
  {
    name: 'restart of Redis',
    weight: 4,
    apply: ({ redis }) => (redis ? once(redis.restart()) : Promise.resolve(0)),
  },
];

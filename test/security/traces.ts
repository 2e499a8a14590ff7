import { Prisma, type Database } from '#db/client.js';
import type { TestStack } from '#testing/test-stack.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Redis } from 'ioredis';

/** Places to search for a text. */
export interface Places {
  db: Database;
  store: ObjectStore;
  stack: TestStack;
}

/** Returns the PostgreSQL tables, including those of the queue, in which a row contains the text, as text or bytes. */
export async function tablesWith({ db }: Pick<Places, 'db'>, needle: string): Promise<string[]> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`;
  const hex = Buffer.from(needle).toString('hex');
  const found = [];
  for (const { name } of tables) {
    const rows = await db.$queryRaw<object[]>(
      Prisma.sql`SELECT 1 FROM ${Prisma.raw(name)} t WHERE position(${needle} IN t::text) > 0 OR position(${hex} IN t::text) > 0 LIMIT 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  return found.sort();
}

/** Returns the Redis keys whose name or content contains the text; BullMQ itself trims the streams of job events. */
export async function redisKeysWith({ stack }: Pick<Places, 'stack'>, needle: string): Promise<string[]> {
  if (!stack.env.QUEUE_URL?.startsWith('redis')) return [];
  const redis = new Redis(stack.env.QUEUE_URL);
  const read: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => redis.get(key),
    hash: (key) => redis.hgetall(key),
    list: (key) => redis.lrange(key, 0, -1),
    set: (key) => redis.smembers(key),
    zset: (key) => redis.zrange(key, '0', '-1'),
  };
  const found = [];
  for (const key of await redis.keys('*')) {
    const content = await read[await redis.type(key)]?.(key);
    if (`${key} ${JSON.stringify(content ?? null)}`.includes(needle)) found.push(key);
  }
  redis.disconnect();
  return found;
}

/** Returns the keys of all objects, or of those with a prefix. */
export async function objectKeys({ store }: Pick<Places, 'store'>, prefix = ''): Promise<string[]> {
  const keys = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}

import { Redis } from 'ioredis';

/** Returns the bytes used by the Redis at a URL. */
export async function redisMemory(url: string): Promise<number> {
  const redis = new Redis(url);
  try {
    return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
  } finally {
    redis.disconnect();
  }
}

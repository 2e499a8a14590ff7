import { Redis } from 'ioredis';

/** Bytes that the Redis at a URL holds. */
export async function redisMemory(url: string): Promise<number> {
  const redis = new Redis(url);
  try {
    return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
  } finally {
    redis.disconnect();
  }
}

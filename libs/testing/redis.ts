import { Redis } from 'ioredis';

/** Redis offers 16 databases by default; a jest worker runs one spec file at a time. */
const DATABASES = 16;

/**
 * Returns the URL of an empty Redis database that no other jest worker uses, for QUEUE_URL. Call it once in a spec file.
 *
 * @param serverUrl TEST_REDIS_URL, from a column of `queueColumns()`
 */
export async function emptyRedis(serverUrl: string): Promise<string> {
  const url = new URL(serverUrl);
  url.pathname = `/${Number(process.env['JEST_WORKER_ID'] ?? 0) % DATABASES}`;
  const client = new Redis(url.href, { maxRetriesPerRequest: 1 });
  try {
    await client.flushdb();
  } finally {
    client.disconnect();
  }
  return url.href;
}

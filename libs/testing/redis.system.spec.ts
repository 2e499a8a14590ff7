import { Redis } from 'ioredis';
import { everyQueueColumn } from './columns.js';
import { emptyRedis } from './redis.js';

describe('everyQueueColumn', () => {
  it('always has PostgreSQL', () => {
    expect(everyQueueColumn('postgres://x')[0]).toEqual({ name: 'postgres', queueUrl: 'postgres://x' });
  });

  for (const { name, queueUrl } of everyQueueColumn().filter((column) => column.name === 'redis')) {
    it(`gives an empty database in ${name}, which keeps its jobs`, async () => {
      const url = await emptyRedis(queueUrl ?? '');
      const client = new Redis(url);
      await client.set('left', '1');
      expect(await client.config('GET', 'maxmemory-policy')).toContain('noeviction');
      expect(await emptyRedis(queueUrl ?? '')).toBe(url);
      expect(await client.dbsize()).toBe(0);
      client.disconnect();
    });
  }
});

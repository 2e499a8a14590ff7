import { ThreadLimitError } from '#kit/graph/ports.js';
import { until } from '#testing/until.js';
import { schemaChecksFor } from '../store/tenant-checks.js';

const HOSTILE = { type: 'string', pattern: '^(a+)+$' };

describe('X20 schemas that tenants wrote', () => {
  it('never block the event loop, and those of one tenant do not delay those of another', async () => {
    let beats = 0;
    const timer = setInterval(() => beats++, 10);
    const hostile = schemaChecksFor('ten_hostile');
    let ended = 0;
    const checks = [1, 2, 3].map(async () => {
      const value = `${'a'.repeat(60)}!`;
      await expect(async () => hostile.check({ schema: HOSTILE, value })).rejects.toThrow(ThreadLimitError);
      ended++;
    });
    const before = beats;
    const fine = { schema: { type: 'string', pattern: '^a+$' }, value: 'aaa' };
    expect(await schemaChecksFor('ten_other').check(fine)).toEqual({ is: 'valid', value: 'aaa' });
    expect(ended).toBeLessThan(3);
    await until('the event loop goes on', () => beats > before + 5);
    await Promise.all(checks);
    clearInterval(timer);
  });
});

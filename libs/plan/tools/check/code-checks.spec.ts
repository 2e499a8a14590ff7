import type { InThread } from '#kit/graph/ports.js';
import { CodeChecks } from './code-checks.js';

describe('P7 checks of the code of a plan', () => {
  const code = { language: 'jsonata', text: '1' } as const;
  const unchecked = { problem: null, columns: null };

  it('end together; the rest is left to the calls', async () => {
    let calls = 0;
    const endless = ((_module, _code, signal) => {
      calls += 1;
      return new Promise((_, reject) =>
        signal!.addEventListener('abort', () => reject(signal!.reason as Error)),
      );
    }) as InThread;
    const checks = new CodeChecks(endless).within(1);
    expect(await Promise.all([checks.check(code), checks.check(code)])).toEqual([unchecked, unchecked]);
    expect(await checks.check(code)).toEqual(unchecked);
    expect(calls).toBe(2);
  });

  it('report other errors', async () => {
    const failing = new CodeChecks(() => Promise.reject(new Error('lost'))).within(60_000);
    await expect(failing.check(code)).rejects.toThrow('lost');
  });
});

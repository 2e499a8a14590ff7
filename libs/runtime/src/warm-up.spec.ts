import { createLogger } from '#telemetry/logger.js';
import { until } from '#testing/until.js';
import { warmUpSoon } from './warm-up.js';

describe('warming up', () => {
  const lines: string[] = [];
  const log = createLogger('test', {
    level: 'info',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const end: (() => void)[] = [];
  const warmedUp = () =>
    until(
      'the log line "warmed up"',
      () => lines,
      (written) => written.some((line) => line.includes('warmed up')),
    );

  afterEach(() => {
    for (const each of end.splice(0)) each();
    lines.length = 0;
  });

  it('goes through the services one after the other, and says so', async () => {
    const done: string[] = [];
    const service = (name: string) => ({ warmUp: async () => done.push(name) });
    end.push(warmUpSoon([service('first'), {}, service('second')], log));
    await warmedUp();
    expect(done).toEqual(['first', 'second']);
  });

  it('leaves a service cold that fails, warms up those behind it, and ends with the process', async () => {
    const failing = { warmUp: () => Promise.reject(new Error('no thread')) };
    let isWarm = false;
    const next = { warmUp: () => Promise.resolve((isWarm = true)) };
    end.push(warmUpSoon([failing, next], log));
    await warmedUp();
    expect(lines.some((line) => line.includes('warming up failed'))).toBe(true);
    expect(isWarm).toBe(true);

    let aborted: AbortSignal | undefined;
    const waiting = {
      warmUp: (signal: AbortSignal) =>
        new Promise((_, reject) => {
          aborted = signal;
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    };
    const stop = warmUpSoon([waiting], log);
    await until('the service to be warmed up', () => aborted);
    stop();
    expect(aborted?.aborted).toBe(true);
    expect(lines.filter((line) => line.includes('failed'))).toHaveLength(1);
  });
});

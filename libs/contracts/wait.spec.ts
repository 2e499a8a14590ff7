import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isOver, timeLimit, waitFor } from './wait.js';

const late = () => new Error('late');

describe('waitFor', () => {
  it('returns the result, or throws the error of the promise', async () => {
    await expect(waitFor(Promise.resolve(1), undefined, undefined, late)).resolves.toBe(1);
    await expect(waitFor(Promise.reject(new Error('no')), undefined, undefined, late)).rejects.toThrow('no');
  });

  it('throws when the time is up and when the signal aborts', async () => {
    const never = new Promise<never>(() => undefined);
    await expect(waitFor(never, undefined, 1, late)).rejects.toThrow('late');
    const stop = new AbortController();
    const waiting = waitFor(never, stop.signal, undefined, late);
    stop.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
  });

  // Jest fails a test that causes an unhandled rejection.
  it('a promise that rejects after the signal aborted is not an unhandled rejection', async () => {
    const stopped = AbortSignal.abort(new Error('stop'));
    const failing = Promise.reject(new Error('lost'));
    await expect(waitFor(failing, stopped, undefined, late)).rejects.toThrow('stop');
    await nextTurn();
  });
});

describe('timeLimit', () => {
  it('aborts when the time is up, also after garbage was collected', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const outer = new AbortController();
    const ends = Array.from({ length: 20 }, () => once(timeLimit(20, outer.signal), 'abort'));
    collectGarbage();
    // Keeps the process alive, because the timers of limits do not.
    const awake = setInterval(() => undefined, 1_000);
    await Promise.all(ends);
    clearInterval(awake);
  });

  it('tells whether the time or the other signal ended it', async () => {
    const outer = new AbortController();
    const [byTime, bySignal] = [timeLimit(1), timeLimit(3_600_000, outer.signal)];
    outer.abort(new Error('stop'));
    await once(byTime, 'abort');
    expect([isOver(byTime), isOver(bySignal)]).toEqual([true, false]);
    expect(bySignal.reason).toEqual(new Error('stop'));
    expect(timeLimit(3_600_000, outer.signal).aborted).toBe(true);
  });
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { waitFor } from './wait.js';

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

  // Jest fails a test that leaves an unhandled rejection behind.
  it('a promise that rejects after the signal aborted is not an unhandled rejection', async () => {
    const stopped = AbortSignal.abort(new Error('stop'));
    const failing = Promise.reject(new Error('lost'));
    await expect(waitFor(failing, stopped, undefined, late)).rejects.toThrow('stop');
    await nextTurn();
  });
});

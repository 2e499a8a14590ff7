import { until } from './until.js';

describe('until', () => {
  it('returns the first value that the condition accepts', async () => {
    const values = ['queued', 'running', 'completed'];
    const status = await until(
      'the run has begun',
      () => values.shift(),
      (seen) => seen !== 'queued',
    );
    expect(status).toBe('running');
    expect(values).toEqual(['completed']);
  });

  it('accepts any truthy value of an asynchronous look by default', async () => {
    const values = [0, '', null, { id: 'run_1' }];
    expect(await until('a run', () => Promise.resolve(values.shift()))).toEqual({ id: 'run_1' });
  });

  it('throws what was waited for, the limit and the last value', async () => {
    let looks = 0;
    const wait = until(
      'the run is completed',
      () => ({ status: 'queued', look: ++looks }),
      ({ status }) => status === 'completed',
      0,
    );
    const message = /^the run is completed: not within 0 s\. Last seen: \{ status: 'queued', look: (\d+) \}$/;
    await expect(wait).rejects.toThrow(message);
    const { message: text } = (await wait.catch((error: Error) => error)) as Error;
    expect(Number(message.exec(text)![1])).toBe(looks);
  });

  it('throws the error of a look without another one', async () => {
    const look = () => Promise.reject(new Error('the gateway answers 500'));
    await expect(until('a run', look)).rejects.toThrow(new Error('the gateway answers 500'));
  });
});

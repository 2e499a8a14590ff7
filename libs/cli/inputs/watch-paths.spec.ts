import { repeatAfter } from './watch-paths.js';

describe('repeatAfter', () => {
  it('works once, then after each change, and goes on after an error', async () => {
    const done: string[] = [];
    async function* changes() {
      expect(done).toEqual(['work 1']);
      yield;
      yield;
    }
    const work = async () => {
      done.push(`work ${done.length + 1}`);
      if (done.length === 2) throw new Error('no manuscript');
    };
    await repeatAfter(changes(), work, (error) => done.push(String(error)));
    expect(done).toEqual(['work 1', 'work 2', 'Error: no manuscript', 'work 4']);
  });

  it('ends with the error of the first work', async () => {
    const failing = () => Promise.reject(new Error('no files'));
    await expect(repeatAfter((async function* () {})(), failing, () => undefined)).rejects.toThrow(
      'no files',
    );
  });
});

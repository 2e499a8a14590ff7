import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommitSignals } from './commit-signals.js';

describe('signals at commit points', () => {
  it('tell which process fired last, whatever its id: one that was stopped has to be woken again', async () => {
    const signals = await CommitSignals.open();
    for (const name of ['before~complete task~7806~run_a~9', 'before~complete task~10058~run_b~20'])
      await writeFile(join(signals.dir, 'fired', name), '');
    expect(await signals.next('before', 'complete task', 1, 0)).toMatchObject({ pid: 10058, runId: 'run_b' });
    await signals.close();
  });
});

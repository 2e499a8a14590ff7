import { jest } from '@jest/globals';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { completeTask } from './complete.js';

const TEN_MINUTES_MS = 600_000;

describe('X4 a runner whose clock is behind that of the one before it', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('goes on from the newest checkpoint and repeats no step', async () => {
    const bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
    const done: string[] = [];
    const call = (name: string) => ({ kind: 'local' as const, name, work: () => (done.push(name), name) });
    try {
      const human = (name: string) => ({ kind: 'human' as const, name });
      bed.runner({ ask: new TinyGraph([call('a'), human('q'), call('b'), human('r'), call('c')]) });
      const runId = await bed.start(await bed.tenant(), 'ask');
      const answer = async () => {
        const open = await bed.eventually(
          async () => (await bed.tasks(runId)).find(({ status }) => status === 'pending'),
          'a question',
        );
        await completeTask(bed.engine, open.id, runId, { ok: true, output: { text: 'yes' } }, 'key_1');
      };
      await bed.until(runId, 'waiting');
      const realNow = Date.now.bind(Date);
      jest.spyOn(Date, 'now').mockImplementation(() => realNow() - TEN_MINUTES_MS);
      await answer();
      await answer();
      jest.restoreAllMocks();
      await bed.until(runId, 'completed');
      expect(await bed.words(runId)).toEqual(['start', 'a', 'q=yes', 'b', 'r=yes', 'c']);
      expect(done).toEqual(['a', 'b', 'c']);
    } finally {
      await bed.close();
    }
  });
});

import fc from 'fast-check';
import { MemoryStore } from '#testing/memory-store.js';
import { callsAt } from '../../store/item-journals.js';
import { BrokenOffCallError, ToolCallError } from '../tool.js';
import { CallJournal, type CallOutcome } from './call-journal.js';
import { mapTool } from './map.js';

const SIZE = 6;
const fates = ['answers', 'refuses', 'breaks', 'dies'] as const;
type Fate = (typeof fates)[number];

describe('the journal of calls with side effects', () => {
  it('X3 repeats no call that may have taken effect, unless a person says so', async () => {
    const fate = fc.array(fc.constantFrom(...fates), { minLength: SIZE, maxLength: SIZE });
    const answers = fc.array(fc.constantFrom<CallOutcome>('repeat', 'done', 'failed'), {
      minLength: SIZE,
      maxLength: SIZE,
    });
    const attempts = fc.array(
      fc.record({ isNewTask: fc.boolean(), fate, answers, width: fc.integer({ min: 1, max: 4 }) }),
      {
        minLength: 1,
        maxLength: 5,
      },
    );
    await fc.assert(
      fc.asyncProperty(attempts, async (all) => {
        const store = callsAt(new MemoryStore(), 'tenants/t/sessions/s/results/x.calls/');
        /** Items whose call may have taken effect or did; a refused call had none. */
        const effective = new Set<number>();
        /** Items that a person let the plan call again. */
        const allowed = new Set<number>();
        const repeated: number[] = [];
        let task = 0;
        let isAnswered = false;
        for (const { isNewTask, fate: fateOf, answers: said, width } of [...all, ...all]) {
          if (isNewTask) task += 1;
          isAnswered = isNewTask;
          const callItem = async (_: string, __: unknown, index: number) => {
            if (isAnswered && said[index] === 'repeat') allowed.add(index);
            if (effective.has(index) && !allowed.has(index)) repeated.push(index);
            await Promise.resolve();
            const end: Fate = fateOf[index]!;
            if (end !== 'refuses') effective.add(index);
            if (end === 'refuses') throw new ToolCallError('http_status', 'no');
            if (end === 'breaks') throw new BrokenOffCallError('timeout', 'late');
            if (end === 'dies') throw new Error('the worker dies');
            return index;
          };
          const calls = await CallJournal.open(store, `tsk_${task}`, (index) =>
            isAnswered ? said[index] : undefined,
          );
          const items = Array.from({ length: SIZE }, (_, index) => index);
          const args = { items, tool: 't', arguments: {}, width };
          const result = await mapTool
            .call(args, { callItem, calls })
            .catch((error: unknown) => String(error));
          if (typeof result === 'string') continue;
          const { results, interrupted = [] } = result as { results: unknown[]; interrupted?: number[] };
          for (const [index, value] of results.entries()) if (value !== null) expect(value).toBe(index);
          for (const index of interrupted) expect(results[index]).toBeNull();
        }
        expect(repeated).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('X3 lets one of several workers make a call', async () => {
    const store = callsAt(new MemoryStore(), 'tenants/t/sessions/s/results/y.calls/');
    const calls: number[] = [];
    const attempt = async () =>
      mapTool.call(
        { items: [0, 1, 2], tool: 't', arguments: {} },
        {
          calls: await CallJournal.open(store, 'tsk_1', () => undefined),
          callItem: (_: string, __: unknown, index: number) => Promise.resolve(calls.push(index)),
        },
      );
    const results = await Promise.all([attempt(), attempt()]);
    expect(calls.toSorted()).toEqual([0, 1, 2]);
    expect(results).toHaveLength(2);
  });
});

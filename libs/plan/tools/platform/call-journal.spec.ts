import { jest } from '@jest/globals';
import fc from 'fast-check';
import { MemoryStore } from '#testing/memory-store.js';
import { callsAt } from '../../store/item-journals.js';
import { BrokenOffCallError, ToolCallError } from '../tool.js';
import { CallJournal, itemNames, type CallOutcome, type CallStore } from './call-journal.js';
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
        /** Items that a person let the plan call again, until a call may take effect. */
        const allowed = new Set<number>();
        const repeated: number[] = [];
        let task = 0;
        let isAnswered = false;
        for (const { isNewTask, fate: fateOf, answers: said, width } of [...all, ...all]) {
          if (isNewTask) task += 1;
          isAnswered = isNewTask;
          const callItem = async (_: string, __: unknown, index: number) => {
            if (effective.has(index) && !allowed.has(index)) repeated.push(index);
            await Promise.resolve();
            const end: Fate = fateOf[index]!;
            if (end !== 'refuses') {
              effective.add(index);
              allowed.delete(index);
            }
            if (end === 'refuses') throw new ToolCallError('http_status', 'no');
            if (end === 'breaks') throw new BrokenOffCallError('timeout', 'late');
            if (end === 'dies') throw new Error('the worker dies');
            return index;
          };
          const items = Array.from({ length: SIZE }, (_, index) => index);
          const calls = await CallJournal.open(store, `tsk_${task}`, itemNames('t', items), (index) => {
            if (!isAnswered) return undefined;
            if (said[index] === 'repeat') allowed.add(index);
            return said[index];
          });
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
          calls: await CallJournal.open(store, 'tsk_1', itemNames('t', [0, 1, 2]), () => undefined),
          callItem: (_: string, __: unknown, index: number) => Promise.resolve(calls.push(index)),
        },
      );
    const results = await Promise.all([attempt(), attempt()]);
    expect(calls.toSorted()).toEqual([0, 1, 2]);
    expect(results).toHaveLength(2);
  });

  const attempt = async (
    store: CallStore,
    task: string,
    {
      items = ['a', 'b'] as unknown[],
      ...how
    }: { items?: unknown[]; said?: CallOutcome; fate?: Fate; over?: boolean },
  ) => {
    const called: unknown[] = [];
    let isOver = false;
    const calls = await CallJournal.open(store, task, itemNames('t', items), () => how.said);
    const callItem = (_: string, __: unknown, index: number) => {
      called.push(items[index]);
      isOver = how.over ?? false;
      if (isOver) return Promise.reject(new Error('aborted'));
      if (how.fate === 'breaks') return Promise.reject(new BrokenOffCallError('timeout', 'late'));
      return Promise.resolve(index);
    };
    const args = { items, tool: 't', arguments: {}, width: 1 };
    const ports = { calls, callItem, isOver: () => isOver };
    return {
      result: (await mapTool.call(args, ports)) as { interrupted?: number[]; completed: number },
      called,
    };
  };

  it('X3 keeps what a person said about an attempt, and does not apply it to a later one', async () => {
    const store = callsAt(new MemoryStore(), 'tenants/t/sessions/s/results/z.calls/');
    await attempt(store, 'tsk_1', { fate: 'breaks' });
    const again = await attempt(store, 'tsk_2', { said: 'repeat', fate: 'breaks' });
    expect([again.called, again.result.interrupted]).toEqual([
      ['a', 'b'],
      [0, 1],
    ]);
    const unasked = await attempt(store, 'tsk_3', {});
    expect([unasked.called, unasked.result.interrupted]).toEqual([[], [0, 1]]);
    await attempt(store, 'tsk_4', { said: 'done' });
    const later = await attempt(store, 'tsk_5', {});
    expect([later.called, later.result]).toEqual([[], expect.objectContaining({ completed: 2, failed: 0 })]);
  });

  it('X3 asks about the call under way when the time is over, and calls the others afterwards', async () => {
    const store = callsAt(new MemoryStore(), 'tenants/t/sessions/s/results/o.calls/');
    const over = await attempt(store, 'tsk_1', { over: true });
    expect([over.called, over.result.interrupted]).toEqual([['a'], [0]]);
    // A replan that adds and moves items does not send the old ones again.
    const replanned = await attempt(store, 'tsk_2', { items: ['c', 'b', 'a'], said: 'done' });
    expect(replanned.called).toEqual(['c', 'b']);
  });

  it('X3 calls each of several equal items, and reads only what is needed', async () => {
    const memory = new MemoryStore();
    const store = callsAt(memory, 'tenants/t/sessions/s/results/e.calls/');
    expect((await attempt(store, 'tsk_1', { items: ['a', 'a'] })).called).toEqual(['a', 'a']);
    const read = jest.spyOn(memory, 'getBytes');
    expect((await attempt(store, 'tsk_2', { items: ['a', 'a'] })).called).toEqual([]);
    expect(read).toHaveBeenCalledTimes(2);
  });
});

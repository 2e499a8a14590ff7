import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import { ComputePool } from './compute-pool.js';

const LIMIT_MS = 20_000;

describe('computing tools, with gigabytes of memory', () => {
  const processes = new ParsingProcesses({ WORKER_THREADS: 1 });
  const pool = new ComputePool(processes);
  afterAll(() => processes.close());

  const transform = (expression: string) => {
    const call = { tool: 'transform_json', input: { data: null, expression } };
    return pool.call('a', call, LIMIT_MS, new AbortController().signal);
  };

  it.each([
    ['a text in many places', '($s := $pad("x", 1000000); [1..1000].$s)'],
    ['a list that grows', '($f := function($x) { $f($append($x, [1..1000000])) }; $f([]))'],
    ['lists in lists', '($f := function($x) { $f([$x, [1..100000]]) }; $f([]))'],
  ])('P13 an expression that needs too much memory fails only its own task: %s', async (_, expression) => {
    // The machine decides which limit ends it first.
    await expect(transform(expression)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:too_large|tool_crashed|invalid_expression|time_limit)$/) as string,
    });
    expect(await transform('1 + 1')).toEqual({ data: 2 });
  });
});

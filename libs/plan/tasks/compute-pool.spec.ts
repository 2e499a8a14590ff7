import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import { tasks } from '#catalogue/tasks.js';
import { ProcessKilledError } from '#kit/runtime/work-pool.js';
import { BUSY_STRETCH } from '#kit/runtime/computing-limit.js';
import { portTools } from '../tools/catalogue.js';
import { computeTools } from '../tools/compute/catalogue.js';
import { ToolCallError } from '../tools/tool.js';
import { ComputePool } from './compute-pool.js';

/** Longer than needed on any machine, in ms. */
const UNLIMITED = 3_600_000;
const MEMORY_LIMITS = /^(?:too_large|invalid_expression)$/;
const signal = new AbortController().signal;

describe('computing tools', () => {
  const processes = new ParsingProcesses({ WORKER_THREADS: 1 });
  const pool = new ComputePool(processes);
  afterAll(() => processes.close());

  const result = (tool: string, input: unknown, limitMs = UNLIMITED) =>
    pool.call('a', { tool, input }, limitMs, signal).catch((error: unknown) => {
      if (error instanceof ToolCallError) return error.code;
      throw error;
    });
  const query = (sql: string, limitMs?: number) => result('query_tables', { tables: {}, sql }, limitMs);
  const transform = (expression: string, limitMs?: number) =>
    result('transform_json', { data: null, expression }, limitMs);

  it('P13 stops an endless query or expression at its time limit', async () => {
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
    expect(await query(`${numbers} SELECT count(*) FROM n`, 500)).toBe('time_limit');
    expect(await transform('($f := function($x) { $f($x + 1) }; $f(0))', 500)).toBe('time_limit');
    expect(await transform('$match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", /^(a+)+$/)', 500)).toBe(
      'time_limit',
    );
    expect(await query('SELECT 1 AS x')).toEqual({ columns: ['x'], rows: [{ x: 1 }] });
  });

  it('P13 allows the task of a tool more time than the tool on a busy machine', () => {
    const longest = Math.max(...[...portTools, ...computeTools].map((tool) => tool.description.timeoutMs));
    expect(tasks.run_tool.timeoutMs).toBeGreaterThan(BUSY_STRETCH * longest);
  });

  it.each([
    ['again if its process is killed', 1, 42],
    ['not without end', 3, 'tool_crashed'],
  ])('P13 runs a call %s', async (_, kills, expected) => {
    let runs = 0;
    const killing = {
      for: () => ({
        run: () =>
          runs++ < kills
            ? Promise.reject(new ProcessKilledError('killed'))
            : Promise.resolve({ ok: true, output: 42 }),
      }),
    };
    const of = new ComputePool(killing as unknown as ParsingProcesses);
    const called = of.call('a', { tool: 'branch', input: {} }, UNLIMITED, signal);
    expect(await called.catch(({ code }: ToolCallError) => code)).toBe(expected);
    expect(runs).toBe(kills === 3 ? 3 : 2);
  });

  it('P13 text that is nested too deeply for its parser fails only its own task', async () => {
    // Input that used to crash a worker together with the calls of all tenants.
    expect(await result('parse_yaml', { text: '- '.repeat(30_000) })).toBe('invalid_input');
    expect(await result('parse_yaml', { text: '['.repeat(30_000) })).toBe('invalid_input');
    expect(await result('parse_json', { text: '['.repeat(30_000) + ']'.repeat(30_000) })).toBe('too_large');
    expect(await transform(`${'('.repeat(9_000)}1${')'.repeat(9_000)}`)).toMatch(MEMORY_LIMITS);
    expect(await transform('1 + 1')).toEqual({ data: 2 });
  });

  it('P13 a query that needs too much memory, or returns too much, fails only its own task', async () => {
    expect(await query("SELECT repeat('x', 300000000) AS x ORDER BY x")).toMatch(
      /^(?:invalid_sql|too_large)$/,
    );
    expect(await query("SELECT repeat('x', 70000000)")).toBe('too_large');
    expect(await query('SELECT 1 AS x')).toEqual({ columns: ['x'], rows: [{ x: 1 }] });
  });
});

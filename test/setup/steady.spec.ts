import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findUnsteadyCode } from './unsteady-code.js';

const ROOT = join(import.meta.dirname, '../..');

/** The specs of `npm test`, relative to the root. */
const specs = ['apps', 'libs', 'test']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((name) => /(?<!\.system|\.deep)\.spec\.ts$/.test(name) && !name.includes('node_modules'));

const SLEEP = 'more than 50 ms';
const TIME = 'an expectation of measured time';
const LESS = 'toBeLessThan on a duration';

describe('code that makes a spec slow or unsteady', () => {
  it.each([
    ['a sleep', 'await delay(51);', SLEEP],
    ['a sleep with a value', 'await sleep(1_000, undefined);', SLEEP],
    ['a timer', 'await new Promise((resolve) => setTimeout(resolve, 100));', SLEEP],
    ['a timer by its object', 'globalThis.setTimeout(resolve, 100);', SLEEP],
    ['a constant', 'const PAUSE_MS = 60;\nawait delay(PAUSE_MS);', SLEEP],
    ['a calculated time', 'const SECONDS = 2;\nawait delay(SECONDS * 1_000);', SLEEP],
    ['a constant of an outer scope', 'const MS = 200;\nit("x", async () => {\n await delay(MS);\n});', SLEEP],
    [
      'an imported name',
      "import { setTimeout as rest } from 'node:timers/promises';\nawait rest(200);",
      SLEEP,
    ],
    ['a sleep in code that is text', 'const code = `const a = 1;\nsetTimeout(f, 100);`;', SLEEP],
    ['a difference of Date.now()', 'expect(Date.now() - start).toBe(3);', TIME],
    ['a difference of performance.now()', 'expect(performance.now() - start).toBeGreaterThan(20);', TIME],
    ['a calculated difference', 'expect((performance.now() - start) / 1_000).toBeCloseTo(2);', TIME],
    ['a difference below not', 'expect(Date.now() - start).not.toBe(0);', TIME],
    ['a named difference', 'const all = Date.now() - start;\nexpect(all).toBeGreaterThan(5);', TIME],
    ['a difference of two named times', 'const a = Date.now();\nconst b = 5;\nexpect(b - a).toBe(1);', TIME],
    ['a difference that is expected', 'expect(rest).toBe(performance.now() - start);', TIME],
    ['the least of several', 'expect(Math.min(...all.map(() => growth(work, 1, 4)))).toBeLessThan(9);', LESS],
    ['a name in ms', 'expect(tookMs).toBeLessThan(5);', LESS],
    ['a name in seconds', 'expect(all).toBeLessThan(MOST_SECONDS);', LESS],
    [
      'a name of a duration',
      'expect(run.elapsed).toBeLessThanOrEqual(9);',
      'toBeLessThanOrEqual on a duration',
    ],
    ['a reading of the clock', 'expect(performance.now()).toBeLessThan(end);', LESS],
    ['CPU time', 'expect(process.cpuUsage(start).user / 1e6).toBeLessThan(5);', LESS],
    ['taken apart CPU time', 'const { user } = process.cpuUsage();\nexpect(user).toBeLessThan(5);', LESS],
    ['the growth of CPU time', 'expect(growth(work, 1, 4)).toBeLessThan(9);', LESS],
    [
      'a function that measures',
      'const f = () => {\n const a = process.cpuUsage();\n return a.user;\n};\nexpect(f() / 2).toBeLessThan(9);',
      LESS,
    ],
  ])('is found: %s', (_, code, fault) => {
    expect(findUnsteadyCode(code)).toEqual([expect.stringMatching(`^\\d+: .*${fault}$`)]);
  });

  it.each([
    ['a short sleep', 'await delay(50);'],
    ['a short timer', 'await new Promise((resolve) => setTimeout(resolve, 10));'],
    ['a short constant', 'const MS = 25;\nawait delay(MS * 2);'],
    [
      'the constant of another scope',
      'const f = () => {\n const MS = 90;\n return MS;\n};\nconst MS = 20;\nawait delay(MS);',
    ],
    ['the limit of a server', 'server.setTimeout(500);'],
    ['another function', 'await upload(100);\nadd("late", 3_600_000);'],
    ['the name of a sleep in text', 'const text = "the delay (in seconds) is 100";'],
    ['a comment', '// await delay(500);'],
    ['the time in a row', 'await update({ at: new Date(Date.now() - 1_000) });'],
    ['the time less a number', 'expect(at).toEqual(new Date(Date.now() - 1_000));'],
    ['a time later', 'expect(at).toEqual(new Date(Date.now() + 60_000));'],
    ['a difference outside an expectation', 'until("x", () => performance.now() - since > 20);'],
    ['a difference of numbers', 'expect(calls - before).toBeLessThan(2);'],
    ['a size', 'expect(items.length).toBeLessThan(30_000);'],
    ['a count that was taken', 'expect(taken).toBeLessThan(64);'],
    ['words that contain those of durations', 'expect(items).toBeLessThan(second + forms);'],
    [
      'an order of times',
      'expect(first.finishedAt.getTime()).toBeLessThanOrEqual(next.finishedAt.getTime());',
    ],
    ['a setting of a call', 'const all = f({ limitMs: 5 });\nexpect(all).toBeLessThan(9);'],
    ['a setting of what is compared', 'expect(countTokens({ limitMs: 5 })).toBeLessThan(9);'],
    ['a duration that is equal', 'expect(settings.timeoutMs).toBe(5_000);'],
    ['a function that throws', 'expect(() => f(Date.now() - start)).toThrow();'],
    ['a function that is not called', 'const f = () => Date.now() - start;\nexpect(f).toBeDefined();'],
  ])('is not found: %s', (_, code) => {
    expect(findUnsteadyCode(code)).toEqual([]);
  });

  it('is reported by its line, once for each line', () => {
    const code =
      'const end = 5;\nexpect(1).toBe(1);\nexpect(\n Date.now() - start,\n).toBeLessThan(9);\nawait delay(99);';
    expect(findUnsteadyCode(code)).toEqual([
      '5: an expectation of measured time',
      '6: delay of 99 ms, more than 50 ms',
    ]);
  });

  it('is in no spec of `npm test`', () => {
    expect(specs.length).toBeGreaterThan(100);
    // Its examples are text, not code.
    const own = join('test', 'setup', 'steady.spec.ts');
    const others = specs.filter((name) => name !== own);
    const found = others.flatMap((name) =>
      findUnsteadyCode(readFileSync(join(ROOT, name), 'utf8')).map((fault) => `${name}:${fault}`),
    );
    expect(found).toEqual([]);
  });
});

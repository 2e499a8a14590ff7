/**
 * Counts operations of code instead of measuring time, so that the result is the same on every machine, however busy.
 * Import this module before the code under test: V8 counts the blocks of a function only if it compiles the function afterwards.
 * Specs that import this module run several times slower, so put such tests into a separate spec.
 */
import { Session, type Profiler } from 'node:inspector';

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

afterAll(() => {
  session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
});

/** Returns whether a script does the counting itself. */
const isOwn = (url: string): boolean =>
  url.startsWith('node:') || url.endsWith('/libs/testing/operations.ts');

/** Returns how often the blocks of all functions ran since the last call. */
function takeBlockCount(): number {
  let count = 0;
  // The callback runs before `post` returns.
  session.post('Profiler.takePreciseCoverage', (error, coverage: Profiler.TakePreciseCoverageReturnType) => {
    if (error) throw error;
    for (const { functions, url } of coverage.result)
      if (!isOwn(url)) for (const { ranges } of functions) for (const range of ranges) count += range.count;
  });
  return count;
}

type Method = (this: never, ...args: never[]) => unknown;

/**
 * Replaces a method of a prototype to also add up its cost.
 *
 * @returns a function that restores the method
 */
function meter<Host extends object>(
  host: Host,
  name: keyof Host,
  cost: (self: Host, args: readonly unknown[], result: unknown, before: number) => number,
  add: (cost: number) => void,
): () => void {
  const original = host[name] as Method;
  const metered = function (this: Host & { length?: number; lastIndex?: number }, ...args: unknown[]) {
    const before = this.lastIndex ?? this.length ?? 0;
    const result: unknown = Reflect.apply(original, this, args);
    add(cost(this, args, result, before));
    return result;
  };
  Object.defineProperty(host, name, { value: metered, writable: true, configurable: true });
  return () => Object.defineProperty(host, name, { value: original, writable: true, configurable: true });
}

/** Returns the characters that `indexOf` and similar methods read. */
const searched = (self: { length: number }, [, from]: readonly unknown[], result: unknown): number => {
  const start = Math.max(0, Number(from ?? 0));
  return Math.max(0, (typeof result === 'number' && result >= 0 ? result : self.length) - start);
};

/** Returns the number of elements that `splice` moves: all after its position, if the length changes. */
const spliced = (self: unknown[], [start]: readonly unknown[], _: unknown, before: number): number => {
  const at = Number(start ?? 0);
  return self.length === before ? 0 : Math.max(0, before - (at < 0 ? before + at : at));
};

/** Returns the characters from the start of a regular expression to the end of its match or the text. Backtracking does not count. */
const scanned = (self: RegExp, [text]: readonly unknown[], result: unknown, before: number): number => {
  const from = self.global || self.sticky ? before : 0;
  const match = result as RegExpExecArray | null;
  if (match) return match.index + match[0].length - from;
  return self.sticky ? 1 : Math.max(0, String(text).length - from);
};

/**
 * Counts the operations of some work: executed code blocks, elements that arrays move, and characters that searches read. Copies of
 * strings, and characters that a regular expression reads again, do not count.
 */
export async function operationsOf(work: () => unknown): Promise<number> {
  const { blocks, moved } = await count(work);
  return blocks + moved;
}

async function count(work: () => unknown): Promise<{ blocks: number; moved: number }> {
  let moved = 0;
  const add = (cost: number): void => void (moved += cost);
  const restore = [
    meter(Array.prototype as unknown[], 'splice', spliced, add),
    meter(Array.prototype as unknown[], 'shift', (self) => self.length, add),
    meter(Array.prototype as unknown[], 'unshift', (self) => self.length, add),
    meter(Array.prototype as unknown[], 'slice', (_, __, result) => (result as unknown[]).length, add),
    meter(Array.prototype as unknown[], 'concat', (_, __, result) => (result as unknown[]).length, add),
    meter(Array.prototype as unknown[], 'indexOf', searched, add),
    meter(Array.prototype as unknown[], 'includes', (self) => self.length, add),
    meter(String.prototype, 'indexOf', searched as never, add),
    meter(String.prototype, 'includes', searched as never, add),
    meter(RegExp.prototype, 'exec', scanned, add),
  ];
  takeBlockCount();
  try {
    await work();
    return { blocks: takeBlockCount(), moved };
  } finally {
    for (const undo of restore) undo();
  }
}

/**
 * Returns the factor by which the number of operations grows when the input of some work doubles: 2 for linear work, 4 for quadratic work.
 * Executes the work once before counting, because the first execution also fills caches.
 */
export const growthOfOperations = (work: (size: number) => unknown, size: number): Promise<number> =>
  growthOf(operationsOf, work, size);

/** Like `growthOfOperations`, without the searches (1 ns per character), for code that searches the whole text for each part. */
export const growthOfBlocks = (work: (size: number) => unknown, size: number): Promise<number> =>
  growthOf(async (once) => (await count(once)).blocks, work, size);

async function growthOf(
  measure: (work: () => unknown) => Promise<number>,
  work: (size: number) => unknown,
  size: number,
): Promise<number> {
  await work(size);
  const small = await measure(() => work(size));
  return (await measure(() => work(2 * size))) / small;
}

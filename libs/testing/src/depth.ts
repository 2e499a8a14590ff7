import { chosen } from './chosen.js';

/** How far the dear tests go: `quick` for whoever waits for them, `full` where they run once before a change is merged. */
export type TestDepth = 'quick' | 'full';

/** The depth of this jest run. @throws Error when SCRIPTORIUM_TEST_DEPTH is set to anything but a depth */
export const testDepth = (): TestDepth => chosen('SCRIPTORIUM_TEST_DEPTH', ['quick', 'full']);

/**
 * What a dear test takes at the depth of this jest run: how many random cases, how large an input. Every shape and kind is tried at
 * either. CI runs the specs that import this module at both (`scripts/specs-to-repeat.js`).
 */
export const atDepth = <T>(of: Record<TestDepth, T>): T => of[testDepth()];

/** `it` for a test that needs the machine for itself or minutes of it: at quick depth it counts as skipped, not as passed. */
export const itAtFullDepth: typeof it = testDepth() === 'full' ? it : it.skip;

/** `describe` for tests of that kind that share what they start. */
export const describeAtFullDepth: typeof describe = testDepth() === 'full' ? describe : describe.skip;

/**
 * Of many combinations of a row (a kind of fault) with columns (the places it may strike), those to try: all at full depth; else every
 * `stride`-th, beginning one later in each row, so that with `stride` rows or more each column is tried in some row.
 */
export const sampled = <T>(columns: readonly T[], row: number, stride: number): T[] =>
  testDepth() === 'full' ? [...columns] : columns.filter((_, index) => (index + row) % stride === 0);

import { testTier } from './tier.js';

/** Extent of expensive tests: `full` in test:deep, otherwise `quick`. */
type TestDepth = 'quick' | 'full';

/** Returns the depth of this jest run. */
const testDepth = (): TestDepth => (testTier() === 'deep' ? 'full' : 'quick');

/**
 * Returns the parameter of an expensive test for the depth of this jest run, such as the number of random cases or the size of an input.
 * Either depth covers every shape and kind. The specs that import this module run again in test:deep (`test/setup/tiers.js`).
 */
export const atDepth = <T>(of: Record<TestDepth, T>): T => of[testDepth()];

/**
 * Returns the columns to combine with a row (for example, the places where a kind of fault may strike). At full depth these are all.
 * Otherwise, every `stride`-th, starting one column later in each row, so that `stride` or more rows cover every column.
 */
export const sampled = <T>(columns: readonly T[], row: number, stride: number): T[] =>
  testDepth() === 'full' ? [...columns] : columns.filter((_, index) => (index + row) % stride === 0);

import { testTier } from './tier.js';

/** How far an expensive test goes: `full` in test:deep, `quick` elsewhere. */
export type TestDepth = 'quick' | 'full';

/** The depth of this jest run. */
export const testDepth = (): TestDepth => (testTier() === 'deep' ? 'full' : 'quick');

/**
 * What an expensive test takes at the depth of this jest run: how many random cases, how large an input. Every shape and kind is tried at
 * either. The specs that import this module run again in test:deep (`test/setup/tiers.js`).
 */
export const atDepth = <T>(of: Record<TestDepth, T>): T => of[testDepth()];

/**
 * Of many combinations of a row (a kind of fault) with columns (the places it may strike), those to try: all at full depth; else every
 * `stride`-th, beginning one later in each row, so that with `stride` rows or more each column is tried in some row.
 */
export const sampled = <T>(columns: readonly T[], row: number, stride: number): T[] =>
  testDepth() === 'full' ? [...columns] : columns.filter((_, index) => (index + row) % stride === 0);

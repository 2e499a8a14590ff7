/** Command that runs the specs: `npm test`, `npm run test:system` or `npm run test:deep` (CONTRIBUTING.md, "Tests"). */
type TestTier = 'fast' | 'system' | 'deep';

declare global {
  /** Set by jest's configurations, except for `npm test`. */
  var testTier: TestTier | undefined;
}

/** Returns the tier of this jest run. */
export const testTier = (): TestTier => globalThis.testTier ?? 'fast';

/** Returns whether `npm test` includes the running spec. Another tier may repeat the spec with other servers or at full depth. */
export const isFastSpec = (): boolean => !/\.(system|deep)\.spec\.ts$/.test(expect.getState().testPath ?? '');

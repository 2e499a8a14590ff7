/** Which of the commands runs the specs: `npm test`, `npm run test:system` or `npm run test:deep` (CONTRIBUTING.md, "Tests"). */
export type TestTier = 'fast' | 'system' | 'deep';

declare global {
  /** Set by jest's configuration; not by that of `npm test`. */
  var testTier: TestTier | undefined;
}

/** The tier of this jest run. */
export const testTier = (): TestTier => globalThis.testTier ?? 'fast';

/** Whether the running spec is one of `npm test`. It may run in another tier too, with other servers or at full depth. */
export const isFastSpec = (): boolean => !/\.(system|deep)\.spec\.ts$/.test(expect.getState().testPath ?? '');

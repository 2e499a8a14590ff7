/**
 * `npm test`: every spec but those of the other tiers (CONTRIBUTING.md, "Tests"). TypeScript is transpiled file by file (types are
 * checked by `npm run typecheck`); `#lib/x.js` and relative `.js` imports are mapped back to their sources, and packages to the bundles
 * in dist/.
 */
export default {
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/test/setup/environment.js',
  testMatch: ['<rootDir>/{apps,libs,test}/**/*.spec.ts'],
  testPathIgnorePatterns: ['\\.(system|deep)\\.spec\\.ts$'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^#([a-z-]+)/(.*)\\.js$': '<rootDir>/libs/$1/$2.ts',
    '^#(.*\\.json)$': '<rootDir>/libs/$1',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // The same random cases in each run.
    '^fast-check$': '<rootDir>/test/setup/fast-check.js',
  },
  transform: {
    '^.+\\.ts$': ['ts-jest', { useESM: true, tsconfig: '<rootDir>/tsconfig.json', diagnostics: false }],
  },
  resolver: '<rootDir>/test/setup/resolver.cjs',
  globalSetup: '<rootDir>/test/setup/global-setup.js',
  globalTeardown: '<rootDir>/test/setup/global-teardown.js',
  testSequencer: '<rootDir>/test/setup/sequencer.js',
  // A wait that fails says so before this limit (libs/testing/until.ts).
  testTimeout: 180_000,
  // Two cores have work for three: the specs that start processes wait for them half of their time.
  maxWorkers: 3,
  // A worker without work ends by itself; to free the memory of hundreds of specs takes longer than jest's half a second on busy cores.
  workerGracefulExitTimeout: 10_000,
};

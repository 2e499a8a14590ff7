import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const FIND_UNIQUE = {
  selector: 'MemberExpression[property.name=/^findUnique/]',
  message:
    'Use findFirst: Prisma batches findUnique calls of several requests into one query, but row-level security binds a query to one tenant.',
};

const TENANT_SCHEMA = {
  selector: 'MemberExpression[property.name="fromJSONSchema"]',
  message:
    'Use SchemaChecks (libs/plan/tools/schema): a pattern in a schema that a tenant wrote can block the event loop. Only modules that runApart calls, `*.worker.ts`, read such schemas.',
};

const AWAITED = {
  '@typescript-eslint/await-thenable': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': 'error',
};

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'node_modules/**',
      'out/**',
      '.scriptorium/**',
      'libs/*/generated/**',
      '**/*.cjs',
      'examples/**',
      'test/fixtures/**',
    ],
  },
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'off',
      'no-console': 'error',
      eqeqeq: ['error', 'smart'],
    },
  },
  {
    // Rules that need types: an error of a promise that nobody awaits is lost.
    files: ['apps/*/src/**/*.ts', 'libs/**/*.ts'],
    ignores: ['apps/studio/**', '**/*.spec.ts', 'libs/testing/**'],
    languageOptions: { parserOptions: { project: 'tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: AWAITED,
  },
  {
    files: ['apps/studio/src/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts'],
    languageOptions: {
      parserOptions: { project: 'apps/studio/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    // Handlers of events may be asynchronous; React ignores what they return.
    rules: { ...AWAITED, '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }] },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: ['**/*.spec.ts', 'libs/testing/**'],
    rules: {
      'no-restricted-syntax': ['error', FIND_UNIQUE, TENANT_SCHEMA],
    },
  },
  {
    files: ['libs/**/*.worker.ts'],
    rules: {
      'no-restricted-syntax': ['error', FIND_UNIQUE],
    },
  },
  {
    files: ['apps/studio/src/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'ImportExpression:not(CallExpression[callee.name=/^(retryingImport|lazyPage|lazyPart|page|setting)$/] ImportExpression)',
          message:
            'Use retryingImport: a plain dynamic import that fails while no gateway is reachable breaks the page.',
        },
      ],
    },
  },
  { files: ['.ci/**', 'apps/cli/**', 'scripts/**', 'test/**'], rules: { 'no-console': 'off' } },
  {
    // `describe` of a spec holds tests and is no function in that sense; nor is a suite that several specs run.
    ignores: ['**/*.spec.ts', 'libs/testing/object-store-conformance.ts', 'libs/testing/vector-search.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 80, skipComments: true }] },
  },
  prettier,
);

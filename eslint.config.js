import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'node_modules/**',
      'out/**',
      '.scriptorium/**',
      'libs/db/src/generated/**',
      'libs/api-client/src/generated/**',
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
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: ['**/*.spec.ts', 'libs/testing/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[property.name=/^findUnique/]',
          message:
            'Prisma joins findUnique calls of several requests into one, which row-level security binds to one tenant: findFirst.',
        },
      ],
    },
  },
  { files: ['apps/cli/**', 'scripts/**', 'test/**'], rules: { 'no-console': 'off' } },
  prettier,
);

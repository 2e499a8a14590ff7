/**
 * Formats and lints the staged files (`scripts/hooks/pre-commit`). A file that also has changes which are not staged is
 * only checked: formatting would stage them.
 */
import { execFileSync, spawnSync } from 'node:child_process';

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' });
const changed = (...args) =>
  git('diff', '--name-only', '-z', '--diff-filter=ACMR', ...args)
    .split('\0')
    .filter(Boolean);
const runs = (tool, args, files) =>
  files.length === 0 ||
  spawnSync(process.execPath, [`node_modules/${tool}`, ...args, ...files], { stdio: 'inherit' }).status === 0;

const staged = changed('--cached');
const unstaged = new Set(changed());
const partly = staged.filter((file) => unstaged.has(file));
const whole = staged.filter((file) => !partly.includes(file));
const prettier = (option, files) =>
  runs('prettier/bin/prettier.cjs', ['--ignore-unknown', '--log-level', 'warn', option], files);
const scripts = staged.filter((file) => /\.(?:[jt]sx?|mjs)$/.test(file));

const isFormatted = prettier('--write', whole) && prettier('--check', partly);
if (whole.length > 0) git('add', '--', ...whole);
const isClean = runs('eslint/bin/eslint.js', ['--no-warn-ignored'], scripts);
if (!isFormatted || !isClean) process.exitCode = 1;

/**
 * Lets git run `scripts/hooks/pre-commit`. The build calls it: `.npmrc` lets no package run scripts at its installation,
 * ours included. Does nothing in CI, outside a checkout, and if other hooks are configured.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

if (!process.env.CI && existsSync(join(root, '.git')))
  try {
    if (git('config', '--default', '', '--get', 'core.hooksPath') === '')
      git('config', '--local', 'core.hooksPath', 'scripts/hooks');
  } catch {
    // Without git, or in a checkout whose configuration is read-only, commits are only checked in CI.
  }

/**
 * `node scripts/check-packages.js FOLDER`: installs the packages that only one check needs, outside the checkout, so that an
 * installation of the checkout does not, and prints the path of their `node_modules`. The folder has the package.json and
 * package-lock.json of the check. Needs a registry of npm the first time.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'scriptorium');
const hash = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex');
const target = join(cache, `packages-${hash.slice(0, 16)}`);
if (!existsSync(target)) {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(`${target}-`);
  try {
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(folder, name), join(work, name));
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: work,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    // Another process may have installed them at the same time.
    if (!existsSync(target)) renameSync(work, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
console.log(join(target, 'node_modules'));

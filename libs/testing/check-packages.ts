import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'scriptorium');
const MANIFEST = ['package.json', 'package-lock.json'];

/**
 * Installs packages that only one check needs, so that an installation of the checkout does not. Needs a registry of npm
 * when it runs for the first time.
 *
 * @param folder with package.json and package-lock.json of the check
 * @returns its folder `node_modules`, outside the checkout
 */
export async function installCheckPackages(folder: string): Promise<string> {
  const lock = await readFile(join(folder, 'package-lock.json'));
  const target = join(CACHE, `packages-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`);
  if (!existsSync(target)) {
    await mkdir(CACHE, { recursive: true });
    const work = await mkdtemp(`${target}-`);
    try {
      for (const name of MANIFEST) await copyFile(join(folder, name), join(work, name));
      await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: work });
      // Another spec may have installed them at the same time.
      if (!existsSync(target)) await rename(work, target);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
  return join(target, 'node_modules');
}

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '#embedded/project-root.js';

/**
 * Installs packages that only one check needs, if they are missing (`scripts/check-packages.js`).
 *
 * @param folder with package.json and package-lock.json of the check
 * @returns its folder `node_modules`, outside the checkout
 */
export async function installCheckPackages(folder: string): Promise<string> {
  const script = join(projectRoot(), 'scripts/check-packages.js');
  return (await promisify(execFile)(process.execPath, [script, folder])).stdout.trim();
}

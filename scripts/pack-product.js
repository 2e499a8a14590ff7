/**
 * `npm run pack:product`: packs dist/ with the package.json of the installed product, and prints the name of the tarball.
 * Arguments go to `npm pack`. Needs dist/ (`npm run build`).
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productManifest } from './product-manifest.js';

const root = join(import.meta.dirname, '..');
const manifest = productManifest(root);
const contents = [
  ...manifest.files.filter((path) => !path.startsWith('!')),
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
];
const folder = mkdtempSync(join(tmpdir(), 'scriptorium-pack-'));
try {
  for (const path of contents) cpSync(join(root, path), join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const asked = process.argv.slice(2);
  execFileSync('npm', ['pack', '--pack-destination', root, ...asked], { cwd: folder, stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Unpacks Debian packages with papers, reports and manuals as PDF into a folder, for `test/corpus/pdf-order.ts`.
 *
 * Usage: `node scripts/collect-pdfs.js DIR [PACKAGE…]`. Needs `apt-get` and `dpkg-deb`, and installs nothing.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';

const PACKAGES = [
  'texlive-publishers-doc',
  'mrbayes-doc',
  'gri-pdf-doc',
  'live-manual-pdf',
  'siscone-doc-pdf',
  'docbook-xsl-doc-pdf',
];

const [dir, ...named] = process.argv.slice(2);
if (dir === undefined) {
  process.stderr.write('Usage: node scripts/collect-pdfs.js DIR [PACKAGE…]\n');
  process.exit(2);
}
mkdirSync(dir, { recursive: true });
for (const name of named.length > 0 ? named : PACKAGES)
  execFileSync('apt-get', ['download', name], { cwd: dir, stdio: 'inherit' });
for (const file of readdirSync(dir).filter((name) => name.endsWith('.deb')))
  execFileSync('dpkg-deb', ['-x', resolve(dir, file), resolve(dir, 'files')], { stdio: 'inherit' });

/**
 * Builds the web studio into dist/apps/studio with Vite, and compresses its files once instead of on each
 * request. The build runs it beside the compilation. Does nothing if no source is newer than the built page.
 */
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { recordPackages } from './bundled-packages.js';

const root = join(import.meta.dirname, '..');
const out = join(root, 'dist/apps/studio');
/** Last file that the build writes. */
const licences = join(out, 'LICENSES.txt');
/** Folders of the studio, and of what it shares with the service. */
const SOURCES = [
  ...[
    'apps/studio',
    'examples/incident',
    'libs/catalogue',
    'libs/contracts',
    'libs/locales',
    'libs/article/contract',
  ],
  ...['libs/markdown', 'libs/office/structure'],
];
/** Package of the text face, which `apps/studio/src/ui/fonts.css` names. */
const FONT = '@fontsource-variable/source-sans-3';
/** Licence of the letters that were made from it. */
const LETTERS_LICENCE = 'apps/studio/src/ui/polish-letters/OFL.txt';
const WORTH_COMPRESSING = /\.(?:js|css|svg|json)$/;

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const newest = (files) => Math.max(...files.map((file) => statSync(file).mtimeMs));

/** Returns whether the built page is newer than its sources and the list of packages. */
function isUpToDate() {
  const built = statSync(licences, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const files = SOURCES.flatMap((folder) => filesBelow(join(root, folder)));
  return built > newest([...files, join(root, 'package-lock.json')]);
}

if (!isUpToDate()) await buildStudio();

async function buildStudio() {
  const began = performance.now();
  const { build } = await import('vite');
  const { output } = await build({ configFile: join(root, 'apps/studio/vite.config.ts'), logLevel: 'error' });
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds).map((id) => id.replace(/^\0|\?.*$/g, ''));
  const files = filesBelow(join(out, 'assets'));
  const sizes = files.map((file) => (WORTH_COMPRESSING.test(file) ? compress(file) : statSync(file).size));
  // Style sheets, and with them the text face, are not among the modules.
  recordPackages(root, 'studio', [...modules, join(root, 'node_modules', FONT, 'package.json')], licences);
  appendFileSync(licences, `\n${readFileSync(join(root, LETTERS_LICENCE), 'utf8')}`);
  const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);
  const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  const whole = sum(files.map((file) => statSync(file).size));
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`studio: ${files.length} files, ${mb(whole)} (${mb(sum(sizes))} with gzip) in ${seconds} s`);
}

/** Writes copies of a file with gzip and with Brotli. @returns the size of the gzip copy in bytes */
function compress(file) {
  const bytes = readFileSync(file);
  const zipped = gzipSync(bytes, { level: 9 });
  writeFileSync(`${file}.gz`, zipped);
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  );
  return zipped.length;
}

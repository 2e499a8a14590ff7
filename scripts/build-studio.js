/**
 * Builds the web studio into dist/apps/studio with Vite, and compresses its files once, so that the gateway does not on each
 * request. Nothing is done while no source is newer than what was built.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const WORTH_COMPRESSING = /\.(?:js|css|svg|json)$/;

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const newest = (files) => Math.max(...files.map((file) => statSync(file).mtimeMs));

/** Whether the built page is newer than every source, than what it shares with the service, and than its packages. */
function isUpToDate(root, page) {
  const built = statSync(page, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const shared = join(root, 'libs/writing/src/repurpose/platforms.ts');
  return built > newest([...filesBelow(join(root, 'apps/studio')), shared, join(root, 'package-lock.json')]);
}

/** @param {string} root of the checkout */
export async function buildStudio(root) {
  const out = join(root, 'dist/apps/studio');
  if (isUpToDate(root, join(out, 'index.html'))) return;
  const { build } = await import('vite');
  await build({ configFile: join(root, 'apps/studio/vite.config.ts'), logLevel: 'error' });
  for (const file of filesBelow(join(out, 'assets')).filter((name) => WORTH_COMPRESSING.test(name))) {
    const bytes = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    );
  }
}

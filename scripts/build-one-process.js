/**
 * Bundles the apps, with the packages that they import, for the process that runs all of them on one machine
 * (ADR 14): it then reads a tenth of the files, which saves a third of the CPU time of its loading. Separate
 * processes load the files of dist/apps.
 */
import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { COPIED, packageOf } from './build-dependencies.js';

const ENTRY = '\0apps';
/** Folder of all files of the bundle; code that looks for files relative to its own expects it below dist/. */
const FOLDER = 'one-process';

/** @param {string} root of the checkout, with the apps and their packages in dist/ */
export async function buildOneProcess(root) {
  const dist = join(root, 'dist');
  const { workerNames } = await import(pathToFileURL(join(dist, 'libs/contracts/queues.js')).href);
  const mains = ['gateway', ...workerNames].map(
    (app) => `import ${JSON.stringify(join(dist, 'apps', app, 'src/main.js'))};`,
  );
  const isLeftOut = (name) => name in COPIED || !existsSync(join(dist, 'node_modules', name));
  const bundle = await rolldown({
    input: { scriptorium: ENTRY },
    platform: 'node',
    // Hide warnings about bundled packages without a default export.
    logLevel: 'silent',
    external: (id) => isBuiltin(id) || (/^[@\w]/.test(id) && isLeftOut(packageOf(id))),
    plugins: [
      {
        name: 'apps',
        resolveId(id) {
          if (id === ENTRY) return id;
          return id.startsWith('#') ? join(dist, 'libs', id.slice(1)) : undefined;
        },
        load: (id) => (id === ENTRY ? mains.join('\n') : undefined),
        transform: (code, id) => (id.startsWith(dist) ? atItsPlace(code, relative(dist, id)) : undefined),
      },
    ],
  });
  await bundle.write({
    dir: join(dist, FOLDER),
    cleanDir: true,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
}

/** Lets bundled code find files, such as its thread modules, as if it were still in its own file. */
function atItsPlace(code, file) {
  return code
    .replaceAll('import.meta.url', `new URL(${JSON.stringify(`../${file}`)}, import.meta.url).href`)
    .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/../${dirname(file)}`)})`);
}

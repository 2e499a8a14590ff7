/**
 * Bundles the packages that dist/ imports into dist/node_modules, which Node searches before node_modules. A
 * process then reads some 80 files instead of 2,500, which saves most of its start-up time, and the product is
 * installed with few packages (ADR 14).
 *
 * Bundled are the `dependencies` of package.json that apps and libs import, except `INSTALLED` and `COPIED`.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { recordPackages } from './bundled-packages.js';

/**
 * Packages that stay as installed, the dependencies of the product's own package.json: they contain native code,
 * WebAssembly, threads or files that they find by relative path, or a process must load them only once.
 */
export const INSTALLED = [
  '@bull-board/ui',
  '@duckdb/node-api',
  '@hyzyla/pdfium',
  '@myriaddreamin/typst-ts-node-compiler',
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-node',
  'fontkit',
  'pino',
  'piscina',
  'reflect-metadata',
  'sharp',
  'unpdf',
];

/**
 * Packages that are copied, because they find files by relative path and need no other package; a pattern of the
 * files that are left out.
 */
export const COPIED = { 'multilingual-stemmer': /\.map$/, 'swagger-ui-dist': /\.map$|-es-bundle/ };

const IMPORTED = /\b(?:from|import|require)\s*\(?\s*['"]((?:@[\w.-]+\/)?[\w.-]+(?:\/[\w./-]+)?)['"]/g;
const ENTRY = '\0entry:';

/** Returns the package of a specifier: `@nestjs/common` for `@nestjs/common/pipes`. */
export const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const entryName = (specifier) => specifier.replaceAll(/[@/]/g, '_');

const leftAsInstalled = new Set([...INSTALLED, ...Object.keys(COPIED)]);

/** Returns what the compiled apps and libraries import from packages that are bundled. */
function importedSpecifiers(root, { dependencies }) {
  const product = new Set();
  const testing = new Set();
  for (const folder of ['apps', 'libs'])
    for (const entry of readdirSync(join(root, 'dist', folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/(?<!\.spec)\.js$/.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      const found = file.startsWith(join(root, 'dist/libs/testing')) ? testing : product;
      for (const [, specifier] of readFileSync(file, 'utf8').matchAll(IMPORTED)) found.add(specifier);
    }
  // Packages that only tests use stay out of the product.
  const packages = new Set([...product].map(packageOf));
  return [...new Set([...product, ...testing])].filter((specifier) => {
    const name = packageOf(specifier);
    return packages.has(name) && name in dependencies && !leftAsInstalled.has(name);
  });
}

/**
 * Generates an entry for each import that exports all names of the module in Node. Imports each module for
 * that, because the names of a CommonJS module are only known after it has run.
 *
 * @returns {Promise<Map<string, string>>} code by specifier
 */
async function entriesOf(specifiers) {
  const entries = new Map();
  for (const specifier of specifiers) {
    const file = JSON.stringify(fileURLToPath(import.meta.resolve(specifier)));
    const names = Object.keys(await import(specifier));
    const exports = names.map(
      (name, at) =>
        `const v${at} = all[${JSON.stringify(name)}]; export { v${at} as ${JSON.stringify(name)} };`,
    );
    // The default of a CommonJS module is the module itself; only a default import returns it.
    const hasDefault = names.includes('default');
    if (hasDefault) exports[names.indexOf('default')] = `import whole from ${file}; export default whole;`;
    entries.set(specifier, [`import * as all from ${file};`, ...exports].join('\n'));
  }
  return entries;
}

/** Writes `dist/node_modules/<package>` for each package, which exports the bundles of its imports. */
function writePackages(target, specifiers) {
  for (const name of new Set(specifiers.map(packageOf))) {
    const own = specifiers.filter((specifier) => packageOf(specifier) === name);
    const exports = Object.fromEntries(
      own.map((specifier) => [`.${specifier.slice(name.length)}`, `./${entryName(specifier)}.js`]),
    );
    mkdirSync(join(target, name), { recursive: true });
    writeFileSync(join(target, name, 'package.json'), JSON.stringify({ name, type: 'module', exports }));
    const bundles = name.includes('/') ? '../../.bundles' : '../.bundles';
    for (const specifier of own) {
      const bundle = JSON.stringify(`${bundles}/${entryName(specifier)}.js`);
      // `export *` omits the default; without a default in the bundle, this exports undefined.
      writeFileSync(
        join(target, name, `${entryName(specifier)}.js`),
        `import * as all from ${bundle};\nexport * from ${bundle};\nexport default all.default;\n`,
      );
    }
  }
}

/** @param {string} root of the checkout, with dist/ compiled */
export async function buildDependencies(root) {
  const target = join(root, 'dist/node_modules');
  rmSync(target, { recursive: true, force: true });
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = await entriesOf(importedSpecifiers(root, manifest));
  const bundle = await rolldown({
    input: Object.fromEntries([...entries.keys()].map((name) => [entryName(name), `${ENTRY}${name}`])),
    platform: 'node',
    // Hide warnings of optional packages that are not installed; they are resolved at run time.
    logLevel: 'silent',
    external: (id) => leftAsInstalled.has(packageOf(id)),
    plugins: [
      {
        name: 'entries',
        resolveId: (id) => (id.startsWith(ENTRY) ? id : undefined),
        load: (id) => (id.startsWith(ENTRY) ? entries.get(id.slice(ENTRY.length)) : undefined),
      },
    ],
  });
  const { output } = await bundle.write({
    dir: join(target, '.bundles'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name]-[hash].js',
  });
  await bundle.close();
  writePackages(target, [...entries.keys()]);
  for (const [name, leftOut] of Object.entries(COPIED))
    cpSync(join(root, 'node_modules', name), join(target, name), {
      recursive: true,
      filter: (file) => !leftOut.test(file),
    });
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
  const copied = Object.keys(COPIED).map((name) => join(root, 'node_modules', name, 'package.json'));
  recordPackages(root, 'node', [...modules, ...copied], join(target, '.bundles/LICENSES.txt'));
}

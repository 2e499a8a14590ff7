/**
 * Prints the package.json of the installed product (`npm run pack:product`, Dockerfile): of the repository's dependencies,
 * it has only those that stay outside the bundles in dist/.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALLED } from './build-dependencies.js';

const COPIED_FIELDS = [
  'name',
  'version',
  'description',
  'license',
  'private',
  'type',
  'engines',
  'files',
  'bin',
  'imports',
  'peerDependencies',
  'peerDependenciesMeta',
];

/** @param {string} root of the checkout */
export function productManifest(root) {
  const { dependencies, optionalDependencies, ...rest } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return {
    ...Object.fromEntries(COPIED_FIELDS.map((name) => [name, rest[name]])),
    dependencies: Object.fromEntries(INSTALLED.map((name) => [name, dependencies[name]])),
    optionalDependencies,
  };
}

if (import.meta.filename === process.argv[1])
  console.log(JSON.stringify(productManifest(join(import.meta.dirname, '..')), null, 2));

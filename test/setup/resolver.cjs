/**
 * Leads specs and sources to the packages that the build has bundled (scripts/build-dependencies.js), as Node leads dist/ to them: jest
 * loads what a spec imports anew for each spec, and 80 files cost far less than 2,500. Packages keep what they were installed with, and so
 * does who requires one: the bundles are ES modules.
 */
const { existsSync, readFileSync } = require('node:fs');
const { join, sep } = require('node:path');

const BUNDLED = join(__dirname, '../../dist/node_modules');
const INSTALLED = `${sep}node_modules${sep}`;
const SPECIFIER = /^(?<name>(?:@[\w.-]+\/)?[\w-][\w.-]*)(?<path>(?:\/.*)?)$/;

const exportsOf = new Map();

/** Where each import of a package leads, by `.` and what follows the package's name. */
function bundled(name) {
  if (!exportsOf.has(name)) {
    const file = join(BUNDLED, name, 'package.json');
    const { exports = {} } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    exportsOf.set(name, exports);
  }
  return exportsOf.get(name);
}

module.exports = (specifier, options) => {
  const { name, path } = SPECIFIER.exec(specifier)?.groups ?? {};
  const isImport = options.conditions?.includes('import') && !options.basedir.includes(INSTALLED);
  if (name !== undefined && isImport) {
    const file = bundled(name)[`.${path}`];
    // Packages that are only copied keep their own exports; specs use them as installed.
    if (typeof file === 'string') return join(BUNDLED, name, file);
  }
  return options.defaultResolver(specifier, options);
};

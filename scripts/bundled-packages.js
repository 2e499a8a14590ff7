/**
 * Lists the packages of the modules in a bundle: with their licence texts for the bundle, and as one CycloneDX document
 * for all bundles in dist/.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { MISSING } from './missing-licences.js';

/** Licence texts that a package has only in its README. */
const LICENCE_IN_README = /Copyright \(c\)[^]*Permission is hereby granted[^]*/i;
const LISTS = 'dist/.packages';

/**
 * Writes the licences of the packages to which modules belong, and keeps their list for `writeSbom`.
 *
 * @param {string} name of the bundle
 * @param {Iterable<string>} modules absolute paths, of packages and others
 * @param {string} target file for the licence texts
 * @throws Error if the licence text of a package is missing
 */
export function recordPackages(root, name, modules, target) {
  const folders = new Set(
    [...modules].filter((id) => id.startsWith(join(root, 'node_modules'))).map(packageFolder),
  );
  const packages = [...folders].sort();
  writeFileSync(target, `${packages.map(licence).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
  mkdirSync(join(root, LISTS), { recursive: true });
  const list = packages.map((folder) => relative(root, folder));
  writeFileSync(join(root, LISTS, `${name}.json`), JSON.stringify(list));
}

/** Returns the nearest folder of a module whose package.json has a version. */
function packageFolder(module) {
  let folder = dirname(module);
  for (;;) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version) return folder;
    folder = dirname(folder);
  }
}

function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const read = (file) => readFileSync(join(folder, file), 'utf8').trim();
  const named = (pattern) => readdirSync(folder).filter((file) => pattern.test(file));
  const files = named(/^(?:licen[cs]e|copying|notice)/i);
  const readme = () => named(/^readme/i).flatMap((file) => LICENCE_IN_README.exec(read(file))?.[0] ?? []);
  const texts = files.length > 0 ? files.map(read) : [MISSING[name] ?? readme()].flat();
  if (texts.length === 0)
    throw new Error(
      `${name} has no licence text: add the one of its repository to scripts/missing-licences.js`,
    );
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

/** Writes `dist/sbom.cdx.json` (CycloneDX 1.6): every package in a bundle, with the hash of its archive. */
export function writeSbom(root) {
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const lists = readdirSync(join(root, LISTS)).map((file) => readFileSync(join(root, LISTS, file), 'utf8'));
  const folders = [...new Set(lists.flatMap((list) => JSON.parse(list)))].sort();
  const components = folders.map((folder) =>
    component(
      JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
      locked[folder]?.integrity,
    ),
  );
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...component(product), type: 'application' } },
    components,
  };
  writeFileSync(join(root, 'dist/sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
}

function component({ name, version, license }, integrity) {
  const [scope, own] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const purl = `pkg:npm/${scope ? `${encodeURIComponent(scope)}/` : ''}${own}@${version}`;
  const [, sha512] = /^sha512-(\S+)/.exec(integrity ?? '') ?? [];
  return {
    type: 'library',
    'bom-ref': purl,
    ...(scope && { group: scope }),
    name: own,
    version,
    purl,
    ...(typeof license === 'string' && { licenses: [{ expression: license }] }),
    ...(sha512 && { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
  };
}

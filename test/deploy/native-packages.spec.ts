import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');

interface LockedPackage {
  os?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}
const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const nameOf = (path: string) => path.split('node_modules/').at(-1)!;
const locked = Object.entries(lock.packages).map(([path, entry]) => ({ name: nameOf(path), entry }));

describe('the lock file', () => {
  it('has an entry for each optional dependency, so that npm installs it on every kind of machine', () => {
    const names = new Set(locked.map(({ name }) => name));
    const wanted = locked.flatMap(({ entry }) => Object.keys(entry.optionalDependencies ?? {}));
    expect(wanted).toContain('@myriaddreamin/typst-ts-node-compiler-darwin-arm64');
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
  });

  it('contains no libc fields: npm 10 removes them, so an installation would change the working tree', () => {
    const named = locked.filter(({ entry }) => entry.libc !== undefined).map(({ name }) => name);
    expect(named).toEqual([]);
  });
});

/** Loads every app without starting it, and then uses features that need native code. */
const LOAD_AND_USE = `
const dist = (path) => import(${JSON.stringify(`${ROOT}/dist/`)} + path);
for (const app of ['gateway', 'agent-runner', 'scanner', 'validator', 'converter', 'tools'])
  await dist('apps/' + app + '/src/main.js');
await dist('libs/document/commands/convert.js');
const { buildStructure } = await dist('libs/office/structure/build.js');
const { writeDocx } = await dist('libs/office/docx/write/write.js');
const { typstPdf } = await dist('libs/office/pdf/typst.js');
const image = async () => new Uint8Array([1]);
const plain = buildStructure('# A');
const outcomes = await Promise.allSettled([
  writeDocx(plain, image, {}),
  writeDocx(buildStructure('![a](a.png)'), image, {}),
  typstPdf(plain, image, {}),
]);
console.log(JSON.stringify(outcomes.map(({ status, reason }) => reason?.message ?? status)));
`;

describe('without the native code of its packages', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-natives-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('every app loads, and only features that need it fail, with advice', async () => {
    const natives = locked.filter(({ entry }) => entry.os !== undefined).map(({ name }) => name);
    const hide = join(folder, 'hide.cjs');
    await writeFile(
      hide,
      `const Module = require('node:module');
      const natives = new Set(${JSON.stringify(natives)});
      const resolve = Module._resolveFilename;
      Module._resolveFilename = function (request, ...rest) {
        const name = request.split('/').slice(0, request.startsWith('@') ? 2 : 1).join('/');
        if (!natives.has(name)) return resolve.call(this, request, ...rest);
        throw Object.assign(new Error('Cannot find module ' + request), { code: 'MODULE_NOT_FOUND' });
      };`,
    );
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--require', hide, '--no-warnings', '--input-type=module', '--eval', LOAD_AND_USE],
      // An app that waits for its parent's message, and has no parent, starts nothing.
      { cwd: ROOT, env: { PATH: process.env['PATH'], WAIT_FOR_START_MESSAGE: '1' } },
    );
    const needs = (feature: string, name: string) =>
      expect.stringMatching(`^${feature} needs the npm package ${name}, .* Run "npm install .*with npm 10`);
    expect(JSON.parse(stdout)).toEqual([
      'fulfilled',
      needs('An image in a document', 'sharp'),
      needs('A PDF', '@myriaddreamin/typst-ts-node-compiler'),
    ]);
  });
});

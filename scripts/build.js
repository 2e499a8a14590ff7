/**
 * Builds everything into dist/: the Prisma client from prisma/schema.prisma, the types of phrases, the TypeScript of
 * apps and libs, the packages that they import and their list, the OpenAPI document, the studio and the template of new
 * data directories; then copies the prompts. Does nothing if no source changed since the last build. `nest build <app>`
 * builds a single app.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { buildCluster } from './build-cluster.js';
import { buildDependencies } from './build-dependencies.js';
import { buildOneProcess } from './build-one-process.js';
import { buildOpenApi } from './build-openapi.js';
import { writeSbom } from './bundled-packages.js';
import './phrase-types.js';
import './use-hooks.js';

const root = join(import.meta.dirname, '..');
/** Runs a script of Node in a process of its own. A failed one ends the build, when it is awaited. */
async function run(script, ...args) {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Generating needs no schema engine; the path of any existing file prevents its download.
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
    },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
}

const schema = join(root, 'prisma/schema.prisma');
const generated = join(root, 'libs/db/generated/client.ts');
if (!existsSync(generated) || statSync(generated).mtimeMs < statSync(schema).mtimeMs) {
  await run('node_modules/prisma/build/index.js', 'generate', '--no-hints');
}

const SOURCES = [
  'apps',
  'libs',
  'examples/incident',
  'scripts',
  'prisma',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
const stampFile = join(root, 'dist/.built');

/** Returns a hash of the names, sizes and times of all sources; unchanged if no source changed. */
function sourcesStamp() {
  const hash = createHash('sha256').update(process.version);
  const add = (path) => {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  };
  for (const source of SOURCES) {
    const path = join(root, source);
    if (!statSync(path).isDirectory()) add(path);
    else
      for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
        if (entry.isFile()) add(join(entry.parentPath, entry.name));
  }
  return hash.digest('hex');
}

const stamp = sourcesStamp();
if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) process.exit();
rmSync(stampFile, { force: true });
rmSync(join(root, 'dist/.compile-cache'), { recursive: true, force: true });
await Promise.all([run('scripts/build-studio.js'), buildService()]);
writeSbom(root);

async function buildService() {
  // TypeScript 7 writes the same JavaScript as TypeScript 6, which ESLint and ts-jest still need, in a third of the time.
  await run('node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json');
  removeOutputsWithoutSource();
  await buildDependencies(root);
  await Promise.all([buildOneProcess(root), buildOpenApi(root), buildCluster(root)]);
}

/** Removes what the compiler wrote from files that are gone, so that an import of one fails here as in a fresh checkout. */
function removeOutputsWithoutSource() {
  for (const folder of ['apps', 'libs'])
    for (const name of readdirSync(join(root, 'dist', folder), { recursive: true })) {
      if (!name.endsWith('.js.map') || name.startsWith('studio/')) continue;
      const source = join(folder, name.slice(0, -'.js.map'.length));
      if (existsSync(join(root, `${source}.ts`))) continue;
      rmSync(join(root, 'dist', `${source}.js`), { force: true });
      rmSync(join(root, 'dist', `${source}.js.map`));
    }
}

for (const entry of readdirSync(join(root, 'libs'), { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || extname(entry.name) !== '.md') continue;
  const source = join(entry.parentPath, entry.name);
  const target = join(root, 'dist', source.slice(root.length + 1));
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(source, target);
}

writeFileSync(stampFile, stamp);

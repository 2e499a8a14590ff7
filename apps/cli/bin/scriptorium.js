#!/usr/bin/env node
/**
 * Runs the command line from dist/. In a checkout, first builds it if it is missing or older than its sources.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const main = join(root, 'dist/apps/cli/src/main.js');
/** Modified by each build, because tsc does not touch unchanged output files. */
const stamp = join(root, 'dist/.built');

if (isCheckout() && isStale()) {
  process.stderr.write('building Scriptorium …\n');
  try {
    // Standard output is reserved for the command.
    execFileSync(process.execPath, [join(root, 'scripts/build.js')], { stdio: ['ignore', 2, 2] });
  } catch {
    process.stderr.write('Scriptorium cannot be built: see the messages above.\n');
    process.exit(1);
  }
  writeFileSync(stamp, '');
}
await import(main);

function isCheckout() {
  return ['scripts/build.js', 'tsconfig.build.json', 'node_modules/typescript'].every((path) =>
    existsSync(join(root, path)),
  );
}

function isStale() {
  if (!existsSync(main)) return true;
  const built = Math.max(...[main, stamp, join(root, 'dist/.build.tsbuildinfo')].map(changedAt));
  const sources = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.includes('generated'))
      .map((path) => join(root, folder, path)),
  );
  return [...sources, join(root, 'prisma/schema.prisma'), join(root, 'package.json')].some(
    (path) => changedAt(path) > built,
  );
}

function changedAt(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

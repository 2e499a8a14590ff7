/**
 * `npm run test:deep`: tests that are too slow for each change. Runs every part even if one fails, prints a
 * line for each at the end, and exits with 1 if one failed. Arguments select parts:
 * `npm run test:deep -- specs faults`.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const jest = (config) => [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--config',
  config,
];
/** @returns {string[]} the command of a fault injection on PostgreSQL's queue; it exits with 1 on findings */
const faults = (...args) => [
  process.execPath,
  'dist/test/faults/main.js',
  '--queue',
  'postgres',
  '--quiet',
  ...args,
];
/** Further versions of Node, from npm's package `node`, on which `npm test` must pass. */
const VERSIONS = ['22', '24', '26'];
/** Disabled guarantees, with the seed and the seconds that detect the mutation (test/faults/mutations.ts). */
const MUTATIONS = [
  ['epoch-guard', '21', '100'],
  ['reconciler', '7', '30'],
  ['first-answer-wins', '7', '40'],
];

/** All benches of package.json: `bench:engine` runs dist/test/bench/engine.js. */
const BENCHES = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts)
  .filter((name) => name.startsWith('bench:'))
  .map((name) => name.slice('bench:'.length));

/** Command and expected exit status (default 0) by part. */
const PARTS = {
  // Random cases, sizes and commit points at full depth; complete user journeys by keyboard.
  specs: { command: [process.execPath, ...jest('test/setup/deep.config.js')] },
  corpus: { command: [process.execPath, 'dist/test/corpus/main.js'] },
  explore: { command: [process.execPath, 'scripts/explore.js'] },
  faults: { command: faults('--seconds', '400') },
  'other-faults': { command: faults('--seconds', '400', '--work', 'others') },
  ...Object.fromEntries(
    MUTATIONS.map(([name, seed, seconds]) => [
      `without-${name}`,
      { command: faults('--mutate', name, '--seed', seed, '--seconds', seconds), wanted: 1 },
    ]),
  ),
  // Only whether they work: figures of a few rounds mean nothing.
  ...Object.fromEntries(
    BENCHES.map((name) => [
      `bench-${name}`,
      { command: [process.execPath, `dist/test/bench/${name}.js`, '--quick'] },
    ]),
  ),
  ...Object.fromEntries(
    VERSIONS.map((version) => [
      `node-${version}`,
      { command: ['npx', '--yes', '--package', `node@${version}`, 'node', ...jest('jest.config.js')] },
    ]),
  ),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`No part is called ${unknown.join(', ')}. The parts: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}
const results = [];
for (const name of asked.length > 0 ? asked : Object.keys(PARTS)) {
  const { command, wanted = 0 } = PARTS[name];
  console.log(`\n── ${name}`);
  const begun = performance.now();
  const child = spawn(command[0], command.slice(1), { cwd: root, stdio: 'inherit' });
  const code = await new Promise((resolve) => child.once('error', () => resolve(-1)).once('exit', resolve));
  results.push({ name, passed: code === wanted, seconds: Math.round((performance.now() - begun) / 1000) });
}
console.log('');
for (const { name, passed, seconds } of results)
  console.log(`${name}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s`);
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;

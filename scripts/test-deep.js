/**
 * `npm run test:deep`: what takes too long for each change. Runs every part although one fails, prints a line for each at the end, and
 * exits with 1 when one failed. Parts can be named: `npm run test:deep -- specs faults`.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const jest = (config) => [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--config',
  config,
];
/** Versions of Node, from npm's package `node`, on which `npm test` has to pass beside the installed one. */
const VERSIONS = ['22', '24', '26'];

const PARTS = {
  // Random cases, sizes and commit points at full depth, mutations, whole journeys by keyboard.
  specs: [process.execPath, ...jest('test/setup/deep.config.js')],
  corpus: [process.execPath, 'dist/test/corpus/main.js'],
  explore: [process.execPath, 'scripts/explore.js'],
  faults: [
    process.execPath,
    'dist/test/faults/main.js',
    '--seconds',
    '400',
    '--queue',
    'postgres',
    '--quiet',
  ],
  'faults of other work': [
    process.execPath,
    ...['dist/test/faults/main.js', '--seconds', '400', '--queue', 'postgres', '--work', 'others', '--quiet'],
  ],
  ...Object.fromEntries(
    VERSIONS.map((version) => [
      `node ${version}`,
      ['npx', '--yes', '--package', `node@${version}`, 'node', ...jest('jest.config.js')],
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
  const [command, ...args] = PARTS[name];
  console.log(`\n── ${name}`);
  const begun = performance.now();
  const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
  const code = await new Promise((resolve) => child.once('error', () => resolve(1)).once('exit', resolve));
  results.push({ name, code, seconds: Math.round((performance.now() - begun) / 1000) });
}
console.log('');
for (const { name, code, seconds } of results)
  console.log(`${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;

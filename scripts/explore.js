/**
 * Tests the properties of specs with new random cases, and with many times the usual number:
 *
 *     npm run test:explore                       every spec that has properties, 10 times
 *     SCRIPTORIUM_TEST_EXPLORE=100 npm run test:explore -- test/corpus
 *
 * Arguments after `--` are passed to jest. A failing case is printed in the form of an example: see
 * docs/ADDING.md, "A test".
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { allSpecs } from '../test/setup/specs.js';

const root = join(import.meta.dirname, '..');
const TIMES = '10';
const MAX_TEST_MS = 6 * 60 * 60_000;

const asked = process.argv.slice(2);
const specs = allSpecs()
  .filter(({ text }) => /\bfc\.assert\(/.test(text))
  .map(({ name }) => name);

const jest = join(root, 'node_modules/jest/bin/jest.js');
const args = [
  '--experimental-vm-modules',
  '--no-warnings',
  jest,
  '--testPathIgnorePatterns=^$',
  `--testTimeout=${MAX_TEST_MS}`,
];
const child = spawn(process.execPath, [...args, ...(asked.length > 0 ? asked : specs)], {
  cwd: root,
  stdio: 'inherit',
  env: { SCRIPTORIUM_TEST_EXPLORE: TIMES, ...process.env },
});
child.on('exit', (code) => process.exit(code ?? 1));

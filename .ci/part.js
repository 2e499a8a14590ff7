/**
 * Runs one part of the tests, and repeats each failed spec file once, alone. A file that then passes is
 * unsteady: it counts as passed and is listed with the failed titles. The part fails if a file fails twice,
 * if more than three files fail, or if its time limit ends; then it names the specs that were running.
 *
 *   node .ci/part.js NAME MINUTES FOLDER [--no-skips] -- COMMAND…
 *
 * COMMAND starts jest and passes on further arguments (`npm test --`). The result is written to NAME.json in
 * FOLDER: `{ passed, failed, unsteady }`. With --no-skips, a skipped test counts as failed.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MOST_UNSTEADY = 3;
const LONGEST_REPEAT_MINUTES = 10;
/** Time for jest to stop its servers after SIGTERM, in milliseconds. */
const STOP_MS = 20_000;

const separator = process.argv.indexOf('--');
const [name, minutes, folder, ...flags] = process.argv.slice(2, separator);
const command = process.argv.slice(separator + 1);

const limit = Number(minutes);
const first = await runJest(name, limit, []);
const results = new Map(first.ended);
const failures = first.isCut ? [`${name} did not end within ${minutes} minutes`] : [];
for (const spec of first.running) results.set(spec, { passed: 0, failed: ['did not end'], skipped: [] });
if (results.size === 0) failures.push(`${name} ran no spec`);

const unsteady = [];
const failedSpecs = [...results].filter(([, { failed }]) => failed.length > 0);
if (failedSpecs.length <= MOST_UNSTEADY) {
  for (const [number, [spec, before]] of failedSpecs.entries()) {
    const again = await runJest(`${name}-repeat-${number}`, Math.min(limit, LONGEST_REPEAT_MINUTES), [
      '--runTestsByPath',
      spec,
    ]);
    const after = again.ended.get(spec);
    if (after?.failed.length === 0) {
      unsteady.push({ spec, titles: before.failed });
      results.set(spec, after);
    }
  }
} else {
  console.log(`${failedSpecs.length} spec files of ${name} failed, too many to repeat`);
}

let passed = 0;
for (const [spec, result] of results) {
  passed += result.passed;
  const lost = flags.includes('--no-skips') ? result.skipped.map((title) => `skipped: ${title}`) : [];
  failures.push(...[...result.failed, ...lost].map((title) => `${spec}: ${title}`));
}
for (const failure of failures) console.log(`FAILED: ${failure}`);
writeFileSync(join(folder, `${name}.json`), JSON.stringify({ passed, failed: failures.length, unsteady }));
process.exitCode = failures.length === 0 ? 0 : 1;

/** Runs the command with a report; ends it and its child processes after the time limit. */
async function runJest(label, limitMinutes, args) {
  const report = join(folder, `${label}.jsonl`);
  const reporters = ['--reporters=default', '--reporters=<rootDir>/test/setup/spec-report.js'];
  const child = spawn(command[0], [...command.slice(1), ...reporters, ...args], {
    env: { ...process.env, SCRIPTORIUM_TEST_REPORT: report },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  let isCut = false;
  const limit = setTimeout(() => {
    isCut = true;
    signalGroup(child, 'SIGTERM');
    setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_MS).unref();
  }, limitMinutes * 60_000);
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(limit);
  const { ended, running } = readReport(report);
  if (isCut) console.log(`Running after ${limitMinutes} minutes: ${running.join(', ') || 'no spec'}`);
  return { ended, running, isCut };
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function readReport(file) {
  const ended = new Map();
  const running = new Set();
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  for (const line of lines) {
    const entry = JSON.parse(line);
    if (entry.started) running.add(entry.started);
    else {
      running.delete(entry.ended);
      ended.set(entry.ended, entry);
    }
  }
  return { ended, running: [...running] };
}

import { spawn } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { logDocument, mixedDocument } from './convert/inputs.js';

/**
 * CPU time of the converter against pandoc on the same machine in the same minutes. Both run as a program of their own,
 * start included; CPU seconds are user plus system of the finished process, as the shell's `times` gives them.
 *
 * `node dist/test/bench/convert.js [small]`; `small` leaves the 10 MB documents out.
 */

interface Measured {
  seconds: number;
  megabytes: number;
}

const MB = 1_000_000;
const CASES = [
  { name: '1 MB mixed', input: () => mixedDocument(MB), limit: 0.8, runs: 3 },
  { name: '10 MB mixed', input: () => mixedDocument(10 * MB), limit: 0.6, runs: 1 },
  { name: '10 MB logs', input: () => logDocument(10 * MB), limit: 0.5, runs: 1 },
];
const WORKER = fileURLToPath(new URL('./convert/run.js', import.meta.url));

/** Runs a program to its end; the shell says how much CPU it took, and ours how much memory. */
function measure(program: string, args: string[]): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@"', 'bash', program, ...args]);
    let output = '';
    let errors = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      const [user, system] = (errors.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
      if (code !== 0 || user === undefined || system === undefined)
        reject(new Error(`${program} failed: ${errors}`));
      else resolve({ seconds: user + system, megabytes: Number(output.trim() || 0) });
    });
  });
}

async function best(runs: number, run: () => Promise<Measured>): Promise<Measured> {
  const results: Measured[] = [];
  for (let i = 0; i < runs; i++) results.push(await run());
  return results.reduce((least, result) => (result.seconds < least.seconds ? result : least));
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-bench-'));
  const cases = process.argv.includes('small') ? CASES.slice(0, 1) : CASES;
  try {
    for (const { name, input, limit, runs } of cases) {
      const file = join(folder, 'input.md');
      await writeFile(file, input());
      const ours = await best(runs, () =>
        measure(process.execPath, [WORKER, file, join(folder, 'ours.docx')]),
      );
      const size = (await stat(join(folder, 'ours.docx'))).size;
      const theirs = await best(runs, () =>
        measure('pandoc', ['-f', 'gfm+footnotes', file, '-o', join(folder, 'theirs.docx')]),
      );
      const ratio = ours.seconds / theirs.seconds;
      console.log(
        `${name.padEnd(12)} ours ${ours.seconds.toFixed(1)} s ${ours.megabytes.toFixed(0)} MB (${(size / MB).toFixed(1)} MB file)` +
          `  pandoc ${theirs.seconds.toFixed(1)} s  ratio ${ratio.toFixed(2)} (at most ${limit})` +
          `  ${ratio <= limit ? 'ok' : 'TOO SLOW'}`,
      );
      if (ratio > limit) process.exitCode = 1;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();

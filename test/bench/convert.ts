import { spawn } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchOptions } from './options.js';
import { denseDocument, logDocument, mixedDocument } from './convert/inputs.js';

/**
 * Compares the CPU time of the converter with pandoc's on the same machine at the same time. Both run as separate
 * processes, including their start; CPU seconds are user plus system time as reported by the shell's `times`.
 *
 * `npm run bench:convert -- [--quick] [--json FILE]`; `--quick` makes all of them small. Keys of the file: one per document
 * (`dense1mb.cpuRatio`: our CPU seconds over pandoc's), and `peakMb` over all.
 */

interface Measured {
  seconds: number;
  megabytes: number;
}

const MB = 1_000_000;
const QUICK_BYTES = 30_000;
const CASES = [
  { key: 'mixed1mb', name: '1 MB mixed', make: mixedDocument, bytes: MB, limit: 0.8, runs: 3 },
  { key: 'dense1mb', name: '1 MB dense', make: denseDocument, bytes: MB, limit: 0.8, runs: 3 },
  { key: 'mixed10mb', name: '10 MB mixed', make: mixedDocument, bytes: 10 * MB, limit: 0.6, runs: 1 },
  { key: 'dense10mb', name: '10 MB dense', make: denseDocument, bytes: 10 * MB, limit: 0.6, runs: 1 },
  { key: 'log10mb', name: '10 MB logs', make: logDocument, bytes: 10 * MB, limit: 0.5, runs: 1 },
];
const WORKER = fileURLToPath(new URL('./convert/run.js', import.meta.url));

/** Runs a program to its end; the shell measures CPU time, and this process measures memory. */
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
  const figures: Record<string, unknown> = {};
  let peakMb = 0;
  const { isQuick, save } = benchOptions();
  const cases = isQuick ? CASES.map((each) => ({ ...each, bytes: QUICK_BYTES, runs: 1 })) : CASES;
  try {
    for (const { key, name, make, bytes, limit, runs } of cases) {
      const file = join(folder, 'input.md');
      await writeFile(file, make(bytes));
      const ours = await best(runs, () =>
        measure(process.execPath, [WORKER, file, join(folder, 'ours.docx')]),
      );
      const size = (await stat(join(folder, 'ours.docx'))).size;
      const theirs = await best(runs, () =>
        measure('pandoc', ['-f', 'gfm+footnotes', file, '-o', join(folder, 'theirs.docx')]),
      );
      const ratio = ours.seconds / theirs.seconds;
      figures[key] = {
        cpuRatio: ratio,
        seconds: ours.seconds,
        pandocSeconds: theirs.seconds,
        peakMb: ours.megabytes,
      };
      peakMb = Math.max(peakMb, ours.megabytes);
      console.log(
        `${name.padEnd(12)} ours ${ours.seconds.toFixed(1)} s ${ours.megabytes.toFixed(0)} MB (${(size / MB).toFixed(1)} MB file)` +
          `  pandoc ${theirs.seconds.toFixed(1)} s  ratio ${ratio.toFixed(2)} (at most ${limit})` +
          `  ${ratio <= limit ? 'ok' : 'TOO SLOW'}`,
      );
      if (!isQuick && (ratio > limit || ours.megabytes > 1000)) process.exitCode = 1;
    }
    save({ ...figures, peakMb });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();

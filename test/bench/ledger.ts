/**
 * Measures the verbatim ledger: MB/s compared with `diff --minimal` on the same two texts, and the growth of the time
 * from 1 to 50 MB. Each run builds the ledger again; the fastest run counts.
 * Usage: node dist/test/bench/ledger.js [--megabytes MAX]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchOptions } from './options.js';
import { buildLedger } from '#verbatim/ledger.js';

const SIZES = [1, 2, 5, 10, 20, 50];
const LEVELS = ['INFO', 'INFO', 'INFO', 'WARN', 'ERROR'];

/** A log of about `megabytes`: timestamps, repeated messages, blank lines and stack traces; the same for every run. */
function log(megabytes: number): string {
  const lines: string[] = [];
  let bytes = 0;
  for (let i = 0; bytes < megabytes * 1e6; i++) {
    const roll = (Math.imul(i + 1, 2654435761) >>> 8) % 1000;
    const line =
      roll < 20
        ? ''
        : roll < 80
          ? `    at handler (server.js:${roll}:${roll % 80})`
          : `2026-03-01T${String(i % 24).padStart(2, '0')}:00:00Z ${LEVELS[roll % 5]} worker-${roll % 8} request ${i} took ${roll} ms`;
    lines.push(line);
    bytes += line.length + 1;
  }
  return `${lines.join('\n')}\n`;
}

/** One line in a thousand changed, dropped or doubled, as a careless writer would. */
function damaged(text: string): string {
  const lines = text.split('\n');
  const out: string[] = [];
  lines.forEach((line, i) => {
    const roll = (Math.imul(i + 7, 2246822519) >>> 9) % 3000;
    if (roll === 0) return;
    out.push(roll === 1 ? `${line}x` : line);
    if (roll === 2) out.push(line);
  });
  return out.join('\n');
}

function seconds(runs: number, work: () => void): number {
  let best = Infinity;
  for (let i = 0; i < runs; i++) {
    const started = process.hrtime.bigint();
    work();
    best = Math.min(best, Number(process.hrtime.bigint() - started) / 1e9);
  }
  return best;
}

function measure(megabytes: number, folder: string): void {
  const text = log(megabytes);
  const runs = megabytes > 10 ? 2 : 3;
  for (const [name, body] of [
    ['equal', text],
    ['damaged', damaged(text)],
  ] as const) {
    const manuscript = `# Log\n\n\`\`\`log\n${body}\`\`\`\n`;
    const left = join(folder, 'source');
    const right = join(folder, 'manuscript');
    writeFileSync(left, text);
    writeFileSync(right, manuscript);
    let coverage = 0;
    const ledger = seconds(runs, () => {
      coverage = buildLedger(manuscript, [{ name: 'a.log', text }], { policy: 'verbatim' }).coverage;
    });
    const diff = seconds(runs, () => {
      spawnSync('diff', ['--minimal', left, right], { stdio: ['ignore', 'ignore', 'ignore'] });
    });
    const size = Buffer.byteLength(text) / 1e6;
    console.log(
      `${size.toFixed(0).padStart(3)} MB ${name.padEnd(8)} ledger ${rate(size, ledger)}   diff --minimal ${rate(size, diff)}   coverage ${coverage.toFixed(5)}`,
    );
  }
}

function rate(size: number, time: number): string {
  return `${time.toFixed(3).padStart(8)} s ${(size / time).toFixed(1).padStart(7)} MB/s`;
}

const folder = mkdtempSync(join(tmpdir(), 'ledger-bench-'));
try {
  const limit = benchOptions({ megabytes: [50, 2] }).sizes.megabytes;
  for (const size of SIZES) if (size <= limit) measure(size, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ThreadPool } from '#kit/runtime/thread-pool.js';
import { accountTable } from './account.js';
import { collect } from './collect.js';
import type { DocumentResult } from './document.worker.js';
import { readByOffice } from './other-readers.js';

const FOLDERS = ['/usr/share/doc', '/usr/lib/python3', join(import.meta.dirname, '../../../node_modules')];
const LIMIT_MS = 180_000;

/**
 * `npm run test:corpus -- [DIR…] [--count 300] [--json FILE]`: runs real files through the pipeline, one document each, and checks that the
 * Word file shows every visible character, and that every piece of a file is carried or reported. Where LibreOffice, pdftotext and
 * Chromium exist, so is every word that they read. Prints a table of pieces by kind; its last
 * column counts lines of other programs with words that the document neither carries nor reports. Exits with 1 when a file is not shown whole. The
 * files stay where they are.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, count: { type: 'string', default: '300' } },
});
const paths = await collect(positionals.length > 0 ? positionals : FOLDERS, Number(values.count));
const WORKER = new URL('./document.worker.js', import.meta.url);
const pool = new ThreadPool({ threads: 1, memoryMb: 2_048 });
const office = await readByOffice(paths);
const never = new AbortController().signal;
const results: ({ path: string; kind: string; seconds: number } & Omit<DocumentResult, 'status'> & {
    status: string;
  })[] = [];
for (const path of paths) {
  const work = { name: basename(path), path, bytes: await readFile(path), office: office.get(path) };
  const started = performance.now();
  const result = await pool
    .run<DocumentResult>(WORKER, work, LIMIT_MS, never)
    .catch((error: unknown) => ({ status: 'failed', account: null, details: [String(error)] }));
  const seconds = (performance.now() - started) / 1_000;
  results.push({ path, kind: extname(path).toLowerCase(), seconds, ...result });
  if (result.status === 'lost' || result.status === 'failed')
    process.stderr.write(
      `${result.status}: ${path}\n${result.details.map((line) => `  ${line.slice(0, 300)}\n`).join('')}`,
    );
}
await pool.close();
const counted = (status: string) => results.filter((result) => result.status === status).length;
const summary = {
  files: results.length,
  kinds: new Set(results.map(({ kind }) => kind)).size,
  shown: counted('shown'),
  skipped: counted('skipped'),
  lost: counted('lost'),
  failed: counted('failed'),
};
process.stdout.write(`${accountTable(results)}\n${JSON.stringify(summary)}\n`);
if (values.json !== undefined)
  await writeFile(values.json, `${JSON.stringify({ ...summary, results }, null, 2)}\n`);
process.exitCode = summary.lost + summary.failed > 0 ? 1 : 0;

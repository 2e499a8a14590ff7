import { createHash } from 'node:crypto';
import type { DiffPart, Ledger, LedgerRun, LedgerSource } from '../schema.js';
import { carriedShare, conversionText, coverageReport, percent, worstFirst } from './coverage.js';
import { splitLines } from '#markdown/scan/scan.js';

const MAX_ROWS = 4000;

/**
 * The ledger as one readable HTML page: figures per file, differences with their character diff, and both sides line by line. Every text is
 * escaped, nothing is loaded from elsewhere, no script runs. Long files are shown around their differences only.
 */
export function ledgerHtml(ledger: Ledger, manuscript: string, sources: LedgerSource[]): string {
  const lines = splitLines(manuscript);
  const bytes = carriedShare(coverageReport(ledger).bytes);
  const body = [
    `<h1>Sources and coverage</h1>`,
    LEGEND,
    `<p>Coverage <strong>${percent(ledger.coverage)}</strong> of the lines, <strong>${percent(bytes)}</strong> of the bytes, policy ${ledger.policy}, ${ledger.manuscript.lines} manuscript lines.</p>`,
    hashes(manuscript, sources),
    filesTable(ledger),
    differences(ledger),
    additions(ledger),
    ...sources.map((source, index) => bothSides(ledger, source, index, lines)),
  ];
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Sources and coverage</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${STYLE}</style></head><body>\n${body.join('\n')}\n</body></html>\n`;
}

const STYLE = `body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:90rem;padding:0 1rem;color:#1b1b1b;background:#fff}
table{border-collapse:collapse;width:100%;margin:0 0 1.5rem}td,th{border:1px solid #ccc;padding:.2rem .5rem;text-align:left;vertical-align:top}
td.n{text-align:right;color:#555;width:4rem}td.t{font-family:ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;width:45%}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{padding:0 .4rem;border:1px solid #ccc}dd{margin:0}
tr.unaccounted td,dt.unaccounted{background:#ffe3e3}tr.altered td,dt.altered{background:#fff3cd}tr.omitted td,dt.omitted{background:#eee}
del{background:#ffc9c9}ins{background:#c3f0ca;text-decoration:none}`;

const LEGEND = `<dl><dt>carried</dt><dd>stands in the manuscript as it stands in the source; prose may be wrapped otherwise</dd>
<dt class="altered">altered</dt><dd>stands there with a difference: <del>of the source</del>, <ins>of the manuscript</ins></dd>
<dt class="omitted">omitted</dt><dd>left out by a rule or a person, with the reason</dd>
<dt class="unaccounted">unaccounted</dt><dd>stands nowhere in the manuscript</dd></dl>`;

/** SHA-256 of what was compared, so that anybody can tell whether these are the files at hand. */
function hashes(manuscript: string, sources: readonly LedgerSource[]): string {
  const rows = [{ name: 'the manuscript', text: manuscript }, ...sources].map(
    ({ name, text }) =>
      `<tr><td>${escapeHtml(name)}</td><td class="t">${createHash('sha256').update(text).digest('hex')}</td></tr>`,
  );
  return `<h2>What was compared</h2><table><thead><tr><th>Text</th><th>SHA-256 of it as UTF-8</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

function filesTable(ledger: Ledger): string {
  const rows = worstFirst(ledger.files).map((file) => {
    const reasons = file.omissions.map(
      (range) => `${range.first_line}–${range.last_line}: ${range.reason} (${range.by})`,
    );
    const notes = [
      ...(file.converted ? [conversionText(file.converted)] : []),
      ...file.notes,
      ...reasons.slice(0, 20),
      ...(reasons.length > 20 ? [`and ${reasons.length - 20} more`] : []),
    ];
    return `<tr><td>${escapeHtml(file.name)}</td><td>${percent(file.coverage)}</td><td>${file.bytes ? percent(carriedShare(file.bytes)) : ''}</td><td>${file.lines}</td><td>${file.carried}</td><td>${file.omitted}</td><td>${file.altered}</td><td>${file.unaccounted}</td><td>${notes.map(escapeHtml).join('<br>')}</td></tr>`;
  });
  return `<h2>Files</h2><table><thead><tr><th>File</th><th>Lines carried</th><th>Bytes carried</th><th>Lines</th><th>Carried</th><th>Omitted</th><th>Altered</th><th>Unaccounted</th><th>Reasons and notes</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function differences(ledger: Ledger): string {
  const rows = [
    ...ledger.altered.map(
      (entry) =>
        `<tr class="altered"><td>${escapeHtml(entry.source)}</td><td class="n">${entry.line}</td><td class="n">${entry.manuscript_line}</td><td>${escapeHtml(entry.reason)}</td><td class="t">${diffHtml(entry.diff)}</td></tr>`,
    ),
    ...ledger.unaccounted.map(
      (entry) =>
        `<tr class="unaccounted"><td>${escapeHtml(entry.source)}</td><td class="n">${entry.line}–${entry.last_line}</td><td class="n">${entry.found_at ?? ''}</td><td>${escapeHtml(entry.reason ?? 'missing')}</td><td class="t">${escapeHtml(entry.text)}</td></tr>`,
    ),
  ];
  if (rows.length === 0) return '<h2>Differences</h2><p>None.</p>';
  return `<h2>Differences</h2><table><thead><tr><th>File</th><th>Line</th><th>Manuscript</th><th>What</th><th>Text</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function diffHtml(parts: DiffPart[]): string {
  const tags = { equal: null, delete: 'del', insert: 'ins' } as const;
  return parts
    .map(({ op, text }) => {
      const tag = tags[op];
      return tag === null ? escapeHtml(text) : `<${tag}>${escapeHtml(text)}</${tag}>`;
    })
    .join('');
}

function additions(ledger: Ledger): string {
  const rows = ledger.added.map(
    (entry) =>
      `<tr class="${entry.kind === 'invention' || entry.kind === 'duplicate' ? 'unaccounted' : ''}"><td class="n">${entry.manuscript_line}</td><td>${entry.kind}</td><td>${escapeHtml(entry.tokens?.join(', ') ?? '')}</td><td class="t">${escapeHtml(entry.text)}</td></tr>`,
  );
  return `<h2>Added by the manuscript</h2><table><thead><tr><th>Line</th><th>Kind</th><th>Unknown</th><th>Text</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

interface Side {
  status: 'carried' | 'altered' | 'omitted' | 'unaccounted';
  at: number | null;
}

function bothSides(ledger: Ledger, source: LedgerSource, index: number, manuscript: string[]): string {
  const lines = splitLines(source.text);
  const sides = sidesOf(ledger, source.name, index, lines.length);
  const shown = visibleLines(sides);
  const rows: string[] = [];
  let before = -1;
  for (const line of shown) {
    if (line > before + 1) rows.push(`<tr><td colspan="4">… ${line - before - 1} carried lines …</td></tr>`);
    const { status, at } = sides[line] as Side;
    const right = at === null ? '' : (manuscript[at - 1] ?? '');
    rows.push(
      `<tr class="${status}"><td class="n">${line + 1}</td><td class="t">${escapeHtml(lines[line] as string)}</td><td class="n">${at ?? ''}</td><td class="t">${escapeHtml(right)}</td></tr>`,
    );
    before = line;
  }
  if (before < lines.length - 1)
    rows.push(`<tr><td colspan="4">… ${lines.length - 1 - before} more lines …</td></tr>`);
  return `<h2>${escapeHtml(source.name)}</h2><table><thead><tr><th>Line</th><th>Source</th><th>Line</th><th>Manuscript</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function sidesOf(ledger: Ledger, name: string, index: number, count: number): Side[] {
  const sides = Array.from({ length: count }, (): Side => ({ status: 'unaccounted', at: null }));
  const set = (line: number, side: Side) => {
    if (line <= count) sides[line - 1] = side;
  };
  for (const run of ledger.runs)
    if (run.source === index) eachLine(run, (line, at) => set(line, { status: 'carried', at }));
  for (const range of ledger.files[index]?.omissions ?? []) {
    for (let line = range.first_line; line <= range.last_line; line++)
      set(line, { status: 'omitted', at: null });
  }
  for (const entry of ledger.altered)
    if (entry.source === name) set(entry.line, { status: 'altered', at: entry.manuscript_line });
  return sides;
}

function eachLine(run: LedgerRun, visit: (line: number, at: number) => void): void {
  const step = run.how === 'exact' || run.how === 'table' ? 1 : 0;
  for (let i = 0; i < run.count; i++) visit(run.line + i, run.manuscript_line + i * step);
}

/** All lines of a short file; of a long one three lines around each difference, and its beginning. */
function visibleLines(sides: Side[]): number[] {
  if (sides.length <= MAX_ROWS) return sides.map((_, line) => line);
  const shown = new Set<number>();
  for (let line = 0; line < 50; line++) shown.add(line);
  for (let line = 0; line < sides.length && shown.size < MAX_ROWS; line++) {
    const { status } = sides[line] as Side;
    if (status !== 'altered' && status !== 'unaccounted') continue;
    for (let near = Math.max(0, line - 3); near <= Math.min(sides.length - 1, line + 3); near++)
      shown.add(near);
  }
  return [...shown].sort((a, b) => a - b);
}

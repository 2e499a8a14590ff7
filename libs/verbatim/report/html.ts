import { createHash } from 'node:crypto';
import type { DiffPart, Ledger, LedgerRun, LedgerSource } from '../schema.js';
import { carriedShare, conversionText, coverageReport, formatPercent, worstFirst } from './coverage.js';
import { splitLines } from '#markdown/scan/scan.js';
import { isFault } from './added.js';
import { escapeHtml } from './escape.js';
import { pieceFigures } from './pieces.js';
import {
  SAME,
  WORD_HEAD,
  WordColumn,
  wordFigures,
  wordHead,
  type LineStatus,
  type WordText,
} from './word-column.js';

/** Number of source lines in one part of the page; the parts of a longer source are opened separately. */
const PART_LINES = 1_000;
/** Placeholder for facts that are known only after the Word file is made: see `withFacts`. */
const FACTS_PLACE = '<!-- facts -->';

/** Note for pages of older releases, which lack the Word file's column and its explanation. */
const OLDER_RELEASE: [string, string] = [
  'Word file',
  'where it shows each line was not recorded by the release that made this page',
];

/** Facts about the run for a reader of the ledger. */
export interface LedgerFacts {
  title: string;
  runId: string;
  /** Time when the ledger was written. */
  written: Date;
  /** Files that the run made from the manuscript. */
  results: readonly { name: string; sha256: string }[];
}

/**
 * Renders the ledger as one HTML page: counts per file, differences with their character diff, and all lines
 * of source, manuscript and Word file. All texts are escaped; the page loads nothing and runs no scripts.
 *
 * @param wordText returns the Word file's text for a source line; absent until the file was read back
 */
export function ledgerHtml(
  ledger: Ledger,
  manuscript: string,
  sources: LedgerSource[],
  wordText?: WordText,
): string {
  const lines = splitLines(manuscript);
  const bytes = carriedShare(coverageReport(ledger).bytes);
  const body = [
    `<h1>Sources and coverage</h1>`,
    FACTS_PLACE,
    LEGEND,
    wordHead(ledger),
    `<p>Coverage <strong>${formatPercent(ledger.coverage)}</strong> of the lines, <strong>${formatPercent(bytes)}</strong> of the bytes, policy ${ledger.policy}, ${ledger.manuscript.lines} manuscript lines.</p>`,
    hashes(manuscript, sources),
    filesTable(ledger),
    differences(ledger),
    additions(ledger),
    ...sources.map((source, index) => sides(ledger, source, index, lines, wordText)),
  ];
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Sources and coverage</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${STYLE}</style></head><body>\n${body.join('\n')}\n</body></html>\n`;
}

/**
 * Inserts the facts of the run into the first bytes of a page from `ledgerHtml`; pages of older versions stay
 * unchanged.
 */
export function withFacts(beginning: Buffer, { title, runId, written, results }: LedgerFacts): Buffer {
  const at = beginning.indexOf(FACTS_PLACE);
  if (at < 0) return beginning;
  const isOlder = !beginning.includes(WORD_HEAD);
  const terms: [string, string][] = [
    ['Document', title],
    ['Run', runId],
    ['Written', written.toISOString()],
    ...(isOlder ? [OLDER_RELEASE] : []),
    ...results.map(({ name, sha256 }): [string, string] => [`SHA-256 of ${name}`, sha256]),
  ];
  const rows = terms.map(([term, value]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(value)}</dd>`);
  const facts = Buffer.from(`<dl>${rows.join('')}</dl>`);
  return Buffer.concat([beginning.subarray(0, at), facts, beginning.subarray(at + FACTS_PLACE.length)]);
}

const STYLE = `body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:90rem;padding:0 1rem;color:#1b1b1b;background:#fff}
table{border-collapse:collapse;width:100%;margin:0 0 1.5rem}td,th{border:1px solid #ccc;padding:.2rem .5rem;text-align:left;vertical-align:top}
td.n{text-align:right;color:#555;width:4rem}td.t{font-family:ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}table.lines{table-layout:fixed}table.lines th:nth-child(odd){width:3.5rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{color:#555}dd{margin:0}dl.legend dt{padding:0 .4rem;border:1px solid #ccc;color:inherit}
tr.unaccounted td,dt.unaccounted{background:#ffe3e3}tr.altered td,dt.altered{background:#fff3cd}tr.omitted td,dt.omitted{background:#eee}
summary{cursor:pointer;padding:.2rem 0}summary.different{background:#fff3cd}td.same,td.why{color:#666}td.lost{background:#ffe3e3}td.hash{font-family:ui-monospace,monospace;overflow-wrap:anywhere}
del{background:#ffc9c9}ins{background:#c3f0ca;text-decoration:none}
@media(max-width:48rem){body{margin:1rem auto}dl{grid-template-columns:1fr}dd{margin:0 0 .5rem;overflow-wrap:anywhere}table{display:block;overflow-x:auto}
table.lines,table.lines tbody,table.lines tr{display:block}table.lines thead{display:none}table.lines tr{display:grid;grid-template-columns:3.5rem 1fr;margin:0 0 .5rem}td.n{width:auto}
table.lines td:nth-child(3):not(:empty)::before{content:"M "}table.lines td:nth-child(5):not(:empty)::before{content:"W "}}`;

const LEGEND = `<dl class="legend"><dt>carried</dt><dd>is in the manuscript as in the source; prose may be wrapped differently</dd>
<dt class="altered">altered</dt><dd>stands there with a difference: <del>of the source</del>, <ins>of the manuscript</ins></dd>
<dt class="omitted">omitted</dt><dd>left out by a rule or a person, with the reason</dd>
<dt class="unaccounted">unaccounted</dt><dd>stands nowhere in the manuscript</dd>
<dt>M, W</dt><dd>number of the line in the manuscript, and in the Word file, where those with words count from behind the table of contents to the appendix: headings, paragraphs, lines of code, cells of tables, then notes</dd></dl>`;

/** Renders the SHA-256 of the compared texts, so that readers can check their files against them. */
function hashes(manuscript: string, sources: readonly LedgerSource[]): string {
  const rows = [{ name: 'the manuscript', text: manuscript }, ...sources].map(
    ({ name, text }) =>
      `<tr><td>${escapeHtml(name)}</td><td class="hash">${createHash('sha256').update(text).digest('hex')}</td></tr>`,
  );
  return `<h2>What was compared</h2><table><thead><tr><th>Text</th><th>SHA-256 of it as UTF-8</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
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
    return `<tr><td>${escapeHtml(file.name)}</td><td>${formatPercent(file.coverage)}</td><td>${file.bytes ? formatPercent(carriedShare(file.bytes)) : ''}</td><td>${file.lines}</td><td>${file.carried}</td><td>${file.omitted}</td><td>${file.altered}</td><td>${file.unaccounted}</td>${pieceCells(file)}${wordFigures(ledger, file)}<td>${notes.map(escapeHtml).join('<br>')}</td></tr>`;
  });
  return `<h2>Files</h2><table><thead><tr><th>File</th><th>Lines carried</th><th>Bytes carried</th><th>Lines</th><th>Carried</th><th>Omitted</th><th>Altered</th><th>Unaccounted</th><th>Pieces of the file</th><th>Left out</th><th>Lost</th>${ledger.word ? '<th>Shown in the Word file</th>' : ''}<th>Reasons and notes</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** Pieces of the file itself, before its text was extracted; empty for a file that is text. */
function pieceCells(file: Ledger['files'][number]): string {
  const [pieces, , leftOut, lost] = pieceFigures(file) ?? ['', '', '', ''];
  return `<td>${pieces}</td><td>${leftOut}</td><td${Number(lost) > 0 ? ' class="lost"' : ''}>${lost}</td>`;
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
    ...(ledger.word?.missing ?? []).map(
      ({ source, line, text }) =>
        `<tr class="unaccounted"><td>${escapeHtml(ledger.files[source]?.name ?? '')}</td><td class="n">${line}</td><td class="n"></td><td>not in the Word file</td><td class="t"><del>${escapeHtml(text)}</del></td></tr>`,
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
      `<tr class="${isFault(entry, ledger.policy) ? 'unaccounted' : ''}"><td class="n">${entry.manuscript_line}</td><td>${entry.kind.replace('_', ' ')}</td><td>${escapeHtml(entry.tokens?.join(', ') ?? '')}</td><td class="t">${escapeHtml(entry.text)}</td></tr>`,
  );
  const count = ledger.manuscript.added_text ?? 0;
  const stated = count === 0 ? '' : `<p>Added text that no source supports: ${count} line(s).</p>`;
  return `<h2>Added by the manuscript</h2>${stated}<table><thead><tr><th>Line</th><th>Kind</th><th>Unknown</th><th>Text</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

interface Side {
  status: LineStatus;
  at: number | null;
}

function sides(
  ledger: Ledger,
  source: LedgerSource,
  index: number,
  manuscript: string[],
  wordText?: WordText,
): string {
  const lines = splitLines(source.text);
  const table = new LinesTable(
    lines,
    sidesOf(ledger, source.name, index, lines.length),
    manuscript,
    ledger.word && wordText ? new WordColumn(ledger, index, wordText) : null,
  );
  const heading = `<h2>${escapeHtml(source.name)}</h2>`;
  if (lines.length <= PART_LINES) return heading + table.part(0, lines.length);
  const parts: string[] = [];
  for (let from = 0; from < lines.length; from += PART_LINES) {
    const to = Math.min(from + PART_LINES, lines.length);
    parts.push(`<details>${table.summary(from, to)}${table.part(from, to)}</details>`);
  }
  return heading + parts.join('\n');
}

/** A table of source lines next to the manuscript's and the Word file's. */
class LinesTable {
  constructor(
    private readonly lines: readonly string[],
    private readonly sides: readonly Side[],
    private readonly manuscript: readonly string[],
    private readonly word: WordColumn | null,
  ) {}

  /** Summarizes the lines of a part and highlights it if it contains differences. */
  summary(from: number, to: number): string {
    const counts = { carried: 0, altered: 0, omitted: 0, unaccounted: 0 };
    for (let line = from; line < to; line++) counts[(this.sides[line] as Side).status] += 1;
    const shown = Object.entries(counts).filter(([, count]) => count > 0);
    const lost = this.word?.lostBetween(from + 1, to) ?? 0;
    const isDifferent = counts.altered + counts.unaccounted + lost > 0;
    const text = shown.map(([status, count]) => `${count} ${status}`).join(', ');
    const missing = lost > 0 ? `, ${lost} not in the Word file` : '';
    return `<summary${isDifferent ? ' class="different"' : ''}>Lines ${from + 1}–${to}: ${text}${missing}</summary>`;
  }

  /**
   * Renders a range of lines. In a long source, the text of identical lines is not repeated for the other
   * sides.
   */
  part(from: number, to: number): string {
    const rows: string[] = [];
    for (let line = from; line < to; line++) rows.push(this.row(line));
    const head = `<th>Line</th><th>Source</th><th>Line</th><th>Manuscript</th>${this.word ? '<th>Line</th><th>Word file</th>' : ''}`;
    return `<table class="lines"><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
  }

  private row(line: number): string {
    const { status, at } = this.sides[line] as Side;
    const left = this.lines[line] as string;
    const right = at === null ? '' : (this.manuscript[at - 1] ?? '');
    const isShownOnce = this.lines.length > PART_LINES && right === left && left !== '';
    const second = isShownOnce ? SAME : `<td class="t">${escapeHtml(right)}</td>`;
    return (
      `<tr class="${status}"><td class="n">${line + 1}</td><td class="t">${escapeHtml(left)}</td>` +
      `<td class="n">${at ?? ''}</td>${second}${this.word?.cells(line + 1, status, left) ?? ''}</tr>`
    );
  }
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

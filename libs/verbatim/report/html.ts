import { createHash } from 'node:crypto';
import {
  type DiffPart,
  type Ledger,
  type LedgerAdded,
  type LedgerFile,
  type LedgerRun,
  type LedgerSource,
  linesPerSourceLine,
} from '../schema.js';
import { carriedShare, coverageReport, percentPhrase, remarksOf, worstFirst } from './coverage.js';
import { ledgerPhrase, piecePhrase } from '#contracts/ledger-phrases.js';
import type { Detail } from '#contracts/phrases/detail.js';
import { englishText, joinPhrases, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { type OcrLine, ocrLines } from '#markdown/ocr.js';
import { splitLines } from '#markdown/scan/scan.js';
import { isFault } from './added.js';
import { escapeHtml, detailPlace, textPlace } from './page-text.js';
import { describePieces, pieceFigures } from './pieces.js';

/** Start of the paragraph about the Word file that every page contains. */
const WORD_HEAD = '<p id="word">';
const SAME = `<td class="same">${textPlace(phrase('ledger_page.same'))}</td>`;

type LineStatus = 'carried' | 'altered' | 'omitted' | 'unaccounted';
/**
 * Returns the Word file's text for a line, given the index of its source; undefined for a line without
 * visible words.
 */
type WordText = (source: number, line: number) => string | undefined;

/** Renders the share of carried lines that were found in the Word file. */
function wordHead({ word }: Ledger): string {
  if (!word) return `${WORD_HEAD}${textPlace(phrase('ledger_page.word_not_made'))}</p>`;
  const sum = (field: 'wanted' | 'shown') => word.files.reduce((total, file) => total + file[field], 0);
  const share = percentPhrase(word.coverage);
  const figures = { share, shown: sum('shown'), wanted: sum('wanted') };
  return `${WORD_HEAD}${textPlace(phrase('ledger_page.word_share', figures))}</p>`;
}

/** Renders a file's table cell for the Word file; empty without a Word file. */
function wordFigures({ word, files }: Ledger, file: LedgerFile): string {
  if (!word) return '';
  const { wanted, shown } = word.files[files.indexOf(file)] ?? { wanted: 0, shown: 0 };
  return `<td${shown < wanted ? ' class="lost"' : ''}>${textPlace(phrase('ledger_page.of', { shown, wanted }))}</td>`;
}

/** Renders where the Word file shows the lines of one source, or why it does not. */
class WordColumn {
  private readonly places: Int32Array;
  private readonly lost = new Map<number, string>();
  private readonly reasons = new Map<number, string>();
  private readonly retold = new Set<number>();

  constructor(
    ledger: Ledger,
    private readonly source: number,
    private readonly textOf: WordText,
  ) {
    const file = ledger.files[source];
    this.places = new Int32Array((file?.lines ?? 0) + 1);
    for (const run of ledger.word?.runs ?? [])
      if (run.source === source)
        for (let i = 0; i < run.count; i++) this.places[run.line + i] = run.shown + i * run.step;
    for (const { source: at, line, text } of ledger.word?.missing ?? [])
      if (at === source) this.lost.set(line, text);
    for (const { first_line, last_line, reason } of file?.omissions ?? [])
      for (let line = first_line; line <= last_line; line++) this.reasons.set(line, reason);
    for (const { source: at, line, count, how } of ledger.runs)
      if (at === source && how === 'sentence') for (let i = 0; i < count; i++) this.retold.add(line + i);
  }

  /** Counts the lines of a range, ends included, that the file does not show with all their words. */
  lostBetween(first: number, last: number): number {
    let count = 0;
    for (let line = first; line <= last; line++) count += Number(this.isLost(line));
    return count;
  }

  /** Renders the number of the line in the file and its text. */
  cells(line: number, status: LineStatus, source: string): string {
    if (this.isLost(line)) {
      const words = this.lost.get(line);
      return `<td class="n"></td><td class="lost">${textPlace(phrase('ledger_page.not_in_word'))}${words ? `: <del>${escapeHtml(words)}</del>` : ''}</td>`;
    }
    const place = this.places[line] ?? 0;
    if (place === 0) {
      const why = source.trim() === '' ? '' : textPlace(this.why(line, status));
      return `<td class="n"></td><td class="why">${why}</td>`;
    }
    const text = this.textOf(this.source, line) ?? '';
    return `<td class="n">${place}</td>${text === source ? SAME : `<td class="t">${escapeHtml(text)}</td>`}`;
  }

  private isLost(line: number): boolean {
    return (this.places[line] ?? 0) === 0 && this.textOf(this.source, line) !== undefined;
  }

  private why(line: number, status: LineStatus): Phrase {
    if (status === 'omitted') {
      const reason = this.reasons.get(line) ?? '';
      return phrase('ledger_page.left_out', { reason: ledgerPhrase(reason) ?? reason });
    }
    if (status === 'altered') return phrase('ledger_page.untraced_altered');
    if (status === 'unaccounted') return phrase('ledger_page.not_in_manuscript');
    return phrase(this.retold.has(line) ? 'ledger_page.untraced_retold' : 'ledger_page.no_words');
  }
}

/** Number of source lines in one part of the page; the parts of a longer source are opened separately. */
const PART_LINES = 1_000;
/** Minimum size of a piece of a page: the object store writes each piece separately, and a page can have hundreds of small parts. */
const PIECE_CHARACTERS = 256 * 1024;
const TITLE = textPlace(phrase('appendix.title'));
/** Placeholder for facts that are known only after the Word file is made: see `withFacts`. */
const FACTS_PLACE = '<!-- facts -->';

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
 * Its own texts are places for phrases (`page-text.ts`), so that each reader gets them in their language.
 *
 * @param wordText returns the Word file's text for a source line; absent until the file was read back
 * @returns the page in UTF-8, in pieces, because the page of a large source is several times as long
 */
export function ledgerPage(...page: Parameters<typeof pieces>): Uint8Array[] {
  const written: Uint8Array[] = [];
  let text = '';
  for (const piece of pieces(...page)) {
    text += piece;
    if (text.length < PIECE_CHARACTERS) continue;
    written.push(Buffer.from(text));
    text = '';
  }
  return [...written, Buffer.from(text)];
}

function* pieces(
  ledger: Ledger,
  manuscript: string,
  sources: LedgerSource[],
  wordText?: WordText,
): Generator<string> {
  const lines = splitLines(manuscript);
  const body = [
    `<h1>${TITLE}</h1>`,
    FACTS_PLACE,
    LEGEND,
    wordHead(ledger),
    `<p>${shares(ledger).map(textPlace).join(' ')}</p>`,
    hashes(manuscript, sources),
    filesTable(ledger),
    differences(ledger),
    additions(ledger),
  ];
  yield `<!doctype html>\n<html lang="${textPlace(phrase('ledger_page.language'))}"><head><meta charset="utf-8"><title>${TITLE}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${STYLE}</style></head><body>\n${body.join('\n')}\n`;
  for (const [index, source] of sources.entries()) yield* sides(ledger, source, index, lines, wordText);
  yield '</body></html>\n';
}

/**
 * Inserts the facts of the run into the first bytes of a page from `ledgerPage`; pages of older versions stay
 * unchanged.
 *
 * @param language BCP 47 tag of the reader's language, for the time
 */
export function withFacts(
  beginning: Buffer,
  { title, runId, written, results }: LedgerFacts,
  language = 'en',
): Buffer {
  const at = beginning.indexOf(FACTS_PLACE);
  if (at < 0) return beginning;
  // Pages of older releases lack the Word file's column and its explanation.
  const isOlder = !beginning.includes(WORD_HEAD);
  const terms: [Phrase, string][] = [
    [phrase('ledger_page.document'), escapeHtml(title)],
    [phrase('ledger_page.run'), escapeHtml(runId)],
    [phrase('ledger_page.written'), timeHtml(written, language)],
    ...(isOlder
      ? [[phrase('ledger_page.word'), textPlace(phrase('ledger_page.word_unrecorded'))] as [Phrase, string]]
      : []),
    ...results.map(({ name, sha256 }): [Phrase, string] => [phrase('ledger_page.hash_of', { name }), sha256]),
  ];
  const rows = terms.map(([term, value]) => `<dt>${textPlace(term)}</dt><dd>${value}</dd>`);
  const facts = Buffer.from(`<dl>${rows.join('')}</dl>`);
  return Buffer.concat([beginning.subarray(0, at), facts, beginning.subarray(at + FACTS_PLACE.length)]);
}

function timeHtml(at: Date, language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  return `<time datetime="${at.toISOString()}">${escapeHtml(format.format(at))} UTC</time>`;
}

const STYLE = `body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:90rem;padding:0 1rem;color:#1b1b1b;background:#fff}
table{border-collapse:collapse;width:100%;margin:0 0 1.5rem}td,th{border:1px solid #ccc;padding:.2rem .5rem;text-align:left;vertical-align:top}
td.n{text-align:right;color:#555;width:4rem}td.t{font-family:ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}table.lines{table-layout:fixed}table.lines th:nth-child(odd){width:3.5rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{color:#555}dd{margin:0}dl.legend dt{padding:0 .4rem;border:1px solid #ccc;color:inherit}
tr.unaccounted td,dt.unaccounted{background:#ffe3e3}tr.altered td,dt.altered{background:#fff3cd}tr.omitted td,dt.omitted{background:#eee}
summary{cursor:pointer;padding:.2rem 0}summary.different{background:#fff3cd}td.same,td.why{color:#666}td.lost{background:#ffe3e3}td.hash{font-family:ui-monospace,monospace;overflow-wrap:anywhere}table.files{display:block;overflow-x:auto}table.files td:last-child{min-width:18rem}
del{background:#ffc9c9}ins{background:#c3f0ca;text-decoration:none}
@media(max-width:48rem){body{margin:1rem auto}dl{grid-template-columns:1fr}dd{margin:0 0 .5rem;overflow-wrap:anywhere}table{display:block;overflow-x:auto}
table.lines,table.lines tbody,table.lines tr{display:block}table.lines thead{display:none}table.lines tr{display:grid;grid-template-columns:3.5rem 1fr;margin:0 0 .5rem}td.n{width:auto}
table.lines td:nth-child(3):not(:empty)::before{content:"M "}table.lines td:nth-child(5):not(:empty)::before{content:"W "}}
@media(prefers-color-scheme:dark){:root{color-scheme:dark}body{color:#e4e4e4;background:#1b1b1b}td,th,dl.legend dt{border-color:#4a4a4a}td.n,dt,td.same,td.why{color:#b0b0b0}
tr.unaccounted td,dt.unaccounted,td.lost{background:#4d2020}tr.altered td,dt.altered,summary.different{background:#463a10}tr.omitted td,dt.omitted{background:#2e2e2e}del{background:#7a2b2b}ins{background:#1e5a2c}}`;

const LEGEND = `<dl class="legend">${[
  legend('carried', ''),
  legend(
    'altered',
    ` <del>${textPlace(phrase('ledger_page.only_source'))}</del> <ins>${textPlace(phrase('ledger_page.only_manuscript'))}</ins>`,
  ),
  legend('omitted', ''),
  legend('unaccounted', ''),
].join('\n')}
<dt>M, W</dt><dd>${textPlace(phrase('ledger_page.about_numbers'))}</dd></dl>`;

function legend(status: LineStatus, more: string): string {
  const [name, about] = [phrase(`ledger_page.${status}`), phrase(`ledger_page.about_${status}`)];
  return `<dt class="${status}">${textPlace(name)}</dt><dd>${textPlace(about)}${more}</dd>`;
}

function shares(ledger: Ledger): Phrase[] {
  const report = coverageReport(ledger);
  const carried = phrase('ledger_page.shares', {
    lines: percentPhrase(ledger.coverage),
    bytes: percentPhrase(carriedShare(report.bytes)),
    policy: phrase(`ledger_page.${ledger.policy}`),
    count: ledger.manuscript.lines,
  });
  return [carried, ...remarksOf(report)];
}

/** Renders the SHA-256 of the compared texts, so that readers can check their files against them. */
function hashes(manuscript: string, sources: readonly LedgerSource[]): string {
  const rows = [
    [textPlace(phrase('ledger_page.the_manuscript')), manuscript] as const,
    ...sources.map(({ name, text }) => [escapeHtml(name), text] as const),
  ].map(
    ([name, text]) =>
      `<tr><td>${name}</td><td class="hash">${createHash('sha256').update(text).digest('hex')}</td></tr>`,
  );
  const head = headOf(phrase('ledger_page.text'), phrase('ledger_page.hash'));
  return section(phrase('ledger_page.compared'), `<table>${head}<tbody>${rows.join('')}</tbody></table>`);
}

function section(title: Phrase, content: string): string {
  return `<h2>${textPlace(title)}</h2>${content}`;
}

function headOf(...titles: Phrase[]): string {
  return `<thead><tr>${titles.map((title) => `<th>${textPlace(title)}</th>`).join('')}</tr></thead>`;
}

/** Maximum number of omissions listed for a file. */
const MAX_REASONS = 20;

function filesTable(ledger: Ledger): string {
  // Text files have no pieces.
  const hasPieces = ledger.files.some(({ inventory }) => inventory !== undefined);
  const rows = worstFirst(ledger.files).map((file) => {
    const { name, coverage, bytes, lines, carried, omitted, altered, unaccounted } = file;
    const cells = [
      textPlace(percentPhrase(coverage)),
      bytes ? textPlace(percentPhrase(carriedShare(bytes))) : '',
      ...[lines, carried, omitted, altered, unaccounted],
    ];
    const figures = cells.map((cell) => `<td>${cell}</td>`).join('');
    return `<tr><td>${escapeHtml(name)}</td>${figures}${hasPieces ? pieceCells(file) : ''}${wordFigures(ledger, file)}<td>${notesOf(file).map(detailPlace).join('<br>')}</td></tr>`;
  });
  const head = headOf(
    phrase('ledger_page.file'),
    phrase('appendix.lines_carried'),
    phrase('appendix.bytes_carried'),
    phrase('appendix.lines'),
    phrase('ledger_page.carried'),
    phrase('ledger_page.omitted'),
    phrase('ledger_page.altered'),
    phrase('ledger_page.unaccounted'),
    ...(hasPieces
      ? [
          phrase('ledger_page.pieces'),
          phrase('ledger_page.pieces_left_out'),
          phrase('ledger_page.pieces_lost'),
        ]
      : []),
    ...(ledger.word ? [phrase('ledger_page.shown_in_word')] : []),
    phrase('ledger_page.notes'),
  );
  return section(
    phrase('ledger_page.files'),
    `<table class="files">${head}<tbody>${rows.join('')}</tbody></table>`,
  );
}

/** Returns how a file was converted, what is unusual about it, and why parts of it were left out. */
function notesOf({ converted, notes, inventory, omissions }: LedgerFile): Detail[] {
  const pieces = new Map(describePieces(inventory).map((text) => [englishText(text), text]));
  const reasons = omissions.map(({ first_line: first, last_line: last, reason, by }) => {
    const lines = linesText(first, last);
    return by === 'rule'
      ? phrase('ledger_page.omission_by_rule', { lines, reason: ledgerPhrase(reason) ?? reason })
      : phrase('ledger_page.omission_by_person', { lines, reason });
  });
  const more = reasons.length - MAX_REASONS;
  return [
    ...(converted ? [phrase('ledger_page.converted', converted)] : []),
    ...notes.map((note) => ledgerPhrase(note) ?? pieces.get(note) ?? note),
    ...reasons.slice(0, MAX_REASONS),
    ...(more > 0 ? [phrase('appendix.more', { number: more })] : []),
  ];
}

const linesText = (first: number, last: number) => (first === last ? `${first}` : `${first}–${last}`);

/** Pieces of the file itself, before its text was extracted; empty for a file that is text. */
function pieceCells(file: LedgerFile): string {
  const [pieces, , leftOut, lost] = pieceFigures(file) ?? ['', '', '', ''];
  return `<td>${pieces}</td><td>${leftOut}</td><td${Number(lost) > 0 ? ' class="lost"' : ''}>${lost}</td>`;
}

function differences(ledger: Ledger): string {
  const rows = [
    ...ledger.altered.map(
      (entry) =>
        `<tr class="altered"><td>${escapeHtml(entry.source)}</td><td class="n">${entry.line}</td><td class="n">${entry.manuscript_line}</td><td>${reasonPlace(entry.reason)}</td><td class="t">${diffHtml(entry.diff)}</td></tr>`,
    ),
    ...ledger.unaccounted.map(
      (entry) =>
        `<tr class="unaccounted"><td>${escapeHtml(entry.source)}</td><td class="n">${linesText(entry.line, entry.last_line)}</td><td class="n">${entry.found_at ?? ''}</td><td>${entry.reason === null ? textPlace(phrase('ledger_page.unaccounted')) : reasonPlace(entry.reason)}</td><td class="t">${escapeHtml(entry.text)}</td></tr>`,
    ),
    ...(ledger.word?.missing ?? []).map(
      ({ source, line, text }) =>
        `<tr class="unaccounted"><td>${escapeHtml(ledger.files[source]?.name ?? '')}</td><td class="n">${line}</td><td class="n"></td><td>${textPlace(phrase('ledger_page.not_in_word'))}</td><td class="t"><del>${escapeHtml(text)}</del></td></tr>`,
    ),
  ];
  const title = phrase('ledger_page.differences');
  if (rows.length === 0) return section(title, `<p>${textPlace(phrase('ledger_page.none'))}</p>`);
  const head = headOf(
    phrase('ledger_page.file'),
    phrase('ledger_page.line'),
    phrase('ledger_page.manuscript'),
    phrase('ledger_page.what'),
    phrase('ledger_page.text'),
  );
  return section(title, `<table>${head}<tbody>${rows.join('')}</tbody></table>`);
}

const reasonPlace = (reason: string): string => detailPlace(ledgerPhrase(reason) ?? reason);

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
      `<tr class="${isFault(entry, ledger.policy) ? 'unaccounted' : ''}"><td class="n">${entry.manuscript_line}</td><td>${textPlace(phrase(`ledger_page.added_${entry.kind}`))}</td><td>${escapeHtml(entry.tokens?.join(', ') ?? placesOf(entry))}</td><td class="t">${escapeHtml(entry.text)}</td></tr>`,
  );
  const count = ledger.manuscript.added_text ?? 0;
  const stated = count === 0 ? '' : `<p>${textPlace(phrase('ledger_page.added_lines', { count }))}</p>`;
  const head = headOf(
    phrase('ledger_page.line'),
    phrase('ledger_page.kind'),
    phrase('ledger_page.unknown'),
    phrase('ledger_page.text'),
  );
  const table = `${stated}<table>${head}<tbody>${rows.join('')}</tbody></table>`;
  return section(phrase('ledger_page.added'), table);
}

const placesOf = ({ supported_by: places = [] }: LedgerAdded): string =>
  places
    .map(({ source, line, last_line: last }) => `${source}:${line === last ? line : `${line}–${last}`}`)
    .join(', ');

/** What became of each line of a source, as arrays of numbers: a large table has a million lines. */
interface Sides {
  /** Index in `STATUSES`, by line. */
  status: Uint8Array;
  /** Line of the manuscript, by line; 0 for none. */
  at: Int32Array;
}

function* sides(
  ledger: Ledger,
  source: LedgerSource,
  index: number,
  manuscript: string[],
  wordText?: WordText,
): Generator<string> {
  const lines = splitLines(source.text);
  const table = new LinesTable(
    lines,
    sidesOf(ledger, source.name, index, lines.length),
    manuscript,
    ledger.word && wordText ? new WordColumn(ledger, index, wordText) : null,
    ledger.files[index]?.inventory?.read_by_ocr ? ocrLines(lines) : [],
  );
  yield `<h2>${escapeHtml(source.name)}</h2>`;
  if (lines.length <= PART_LINES) return yield `${table.part(0, lines.length)}\n`;
  for (let from = 0; from < lines.length; from += PART_LINES) {
    const to = Math.min(from + PART_LINES, lines.length);
    yield `<details>${table.summary(from, to)}${table.part(from, to)}</details>\n`;
  }
}

const STATUSES = ['carried', 'altered', 'omitted', 'unaccounted'] as const;

/** A table of source lines next to the manuscript's and the Word file's. */
class LinesTable {
  constructor(
    private readonly lines: readonly string[],
    private readonly sides: Sides,
    private readonly manuscript: readonly string[],
    private readonly word: WordColumn | null,
    private readonly byOcr: readonly (OcrLine | null)[],
  ) {}

  /** Summarizes the lines of a part and highlights it if it contains differences. */
  summary(from: number, to: number): string {
    const counts = { carried: 0, altered: 0, omitted: 0, unaccounted: 0 };
    for (let line = from; line < to; line++) counts[STATUSES[this.sides.status[line]!]!] += 1;
    const lost = this.word?.lostBetween(from + 1, to) ?? 0;
    const isDifferent = counts.altered + counts.unaccounted + lost > 0;
    const shown = STATUSES.filter((status) => counts[status] > 0).map((status) =>
      phrase(`ledger_page.count_${status}`, { number: counts[status] }),
    );
    if (lost > 0) shown.push(phrase('ledger_page.count_not_in_word', { number: lost }));
    const part = { first: from + 1, last: to, counts: joinPhrases('list', shown) };
    return `<summary${isDifferent ? ' class="different"' : ''}>${textPlace(phrase('ledger_page.part', part))}</summary>`;
  }

  /**
   * Renders a range of lines. In a long source, the text of identical lines is not repeated for the other
   * sides.
   */
  part(from: number, to: number): string {
    const rows: string[] = [];
    for (let line = from; line < to; line++) rows.push(this.row(line));
    const line = phrase('ledger_page.line');
    const word = this.word ? [line, phrase('ledger_page.word')] : [];
    const head = headOf(line, phrase('appendix.source'), line, phrase('ledger_page.manuscript'), ...word);
    return `<table class="lines">${head}<tbody>${rows.join('')}</tbody></table>`;
  }

  private row(line: number): string {
    const status = STATUSES[this.sides.status[line]!]!;
    const at = this.sides.at[line]!;
    const left = this.lines[line] as string;
    const right = this.manuscript[at - 1] ?? '';
    const isShownOnce = this.lines.length > PART_LINES && right === left && left !== '';
    const second = isShownOnce ? SAME : `<td class="t">${escapeHtml(right)}</td>`;
    return (
      `<tr class="${status}"><td class="n">${line + 1}</td><td class="t">${escapeHtml(left)}${this.ocrNote(line)}</td>` +
      `<td class="n">${at || ''}</td>${second}${this.word?.cells(line + 1, status, left) ?? ''}</tr>`
    );
  }

  private ocrNote(line: number): string {
    const read = this.byOcr[line] ?? null;
    if (read === null) return '';
    const { place, certainty } = read;
    return `<br><small>${textPlace(phrase('appendix.line_by_ocr', { place: piecePhrase(place) ?? place, certainty }))}</small>`;
  }
}

function sidesOf(ledger: Ledger, name: string, index: number, count: number): Sides {
  const sides = {
    status: new Uint8Array(count).fill(STATUSES.indexOf('unaccounted')),
    at: new Int32Array(count),
  };
  const set = (line: number, status: LineStatus, at = 0) => {
    sides.status[line - 1] = STATUSES.indexOf(status);
    sides.at[line - 1] = at;
  };
  for (const run of ledger.runs)
    if (run.source === index) eachLine(run, (line, at) => set(line, 'carried', at));
  for (const { first_line, last_line } of ledger.files[index]?.omissions ?? [])
    for (let line = first_line; line <= last_line; line++) set(line, 'omitted');
  for (const { source, line, manuscript_line } of ledger.altered)
    if (source === name) set(line, 'altered', manuscript_line);
  return sides;
}

function eachLine(run: LedgerRun, visit: (line: number, at: number) => void): void {
  const step = linesPerSourceLine(run);
  for (let i = 0; i < run.count; i++) visit(run.line + i, run.manuscript_line + i * step);
}

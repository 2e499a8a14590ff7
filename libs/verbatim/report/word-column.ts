import { ledgerPhrase } from '#contracts/ledger-phrases.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { Ledger, LedgerFile } from '../schema.js';
import { percentPhrase } from './coverage.js';
import { escapeHtml, textPlace } from './page-text.js';

/** Start of the paragraph about the Word file that every page contains. */
export const WORD_HEAD = '<p id="word">';
export const SAME = `<td class="same">${textPlace(phrase('ledger_page.same'))}</td>`;

export type LineStatus = 'carried' | 'altered' | 'omitted' | 'unaccounted';
/**
 * Returns the Word file's text for a line, given the index of its source; undefined for a line without
 * visible words.
 */
export type WordText = (source: number, line: number) => string | undefined;

/** Renders the share of carried lines that were found in the Word file. */
export function wordHead({ word }: Ledger): string {
  if (!word) return `${WORD_HEAD}${textPlace(phrase('ledger_page.word_not_made'))}</p>`;
  const sum = (field: 'wanted' | 'shown') => word.files.reduce((total, file) => total + file[field], 0);
  const share = percentPhrase(word.coverage);
  const figures = { share, shown: sum('shown'), wanted: sum('wanted') };
  return `${WORD_HEAD}${textPlace(phrase('ledger_page.word_share', figures))}</p>`;
}

/** Renders a file's table cell for the Word file; empty without a Word file. */
export function wordFigures({ word, files }: Ledger, file: LedgerFile): string {
  if (!word) return '';
  const { wanted, shown } = word.files[files.indexOf(file)] ?? { wanted: 0, shown: 0 };
  return `<td${shown < wanted ? ' class="lost"' : ''}>${textPlace(phrase('ledger_page.of', { shown, wanted }))}</td>`;
}

/** Renders where the Word file shows the lines of one source, or why it does not. */
export class WordColumn {
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

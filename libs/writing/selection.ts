import { cutAt, withLineEnds } from '#contracts/text.js';
import type { Span } from '#contracts/findings.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { splitParagraphs, type Paragraph } from './paragraphs.js';

/** Part of a text as a client names it: by its words, or by its lines (from 1, both included). */
export type SelectionRequest =
  { quote: string; occurrence?: number | undefined } | { first_line: number; last_line: number };

/** A selected part of a text, with the blocks around it; `before + selected + after` is a part of the text. */
export interface Selection {
  span: Span;
  selected: string;
  before: string;
  after: string;
}

export interface SelectionProblem {
  problem: Phrase;
}

/** Maximum length of a selection, and of the text before and after it, in UTF-16 units. */
const MAX_SELECTED = 20_000;
const MAX_AROUND = 6_000;
/** Number of blocks before and after the selection that a model sees. */
const NEIGHBOURS = 2;

/**
 * Finds the selected part of a text. White space at both ends does not belong to the selection. Linear.
 *
 * @returns a problem, in words for the client, if the request does not name exactly one part with words
 */
export function locateSelection(text: string, request: SelectionRequest): Selection | SelectionProblem {
  const found = 'quote' in request ? spanOfQuote(text, request) : spanOfLines(text, request);
  if ('problem' in found) return found;
  const span = trimmed(text, found);
  // The database drops NUL characters.
  if (text.slice(span.start, span.end).replaceAll('\u0000', '') === '')
    return { problem: phrase('selection.no_words') };
  if (span.end - span.start > MAX_SELECTED)
    return { problem: phrase('selection.too_long', { max: MAX_SELECTED }) };
  return { span, selected: text.slice(span.start, span.end), ...surroundings(text, span) };
}

/** Replaces a part of a text; everything else stays byte-identical. The replacement gets the line ends of the text. */
export function replaceSpan(text: string, { start, end }: Span, replacement: string): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  return text.slice(0, start) + withLineEnds(replacement, lineEnd) + text.slice(end);
}

/**
 * Returns whether the blocks before and after the selected ones remain the same blocks, and whether a heading, list,
 * quotation, code block or table of which only a part is selected remains one. An unclosed code fence or a list item next
 * to a list would absorb other blocks; a line end in a cell would break its table. Linear.
 */
export function keepsSurroundings(text: string, span: Span, replacement: string): boolean {
  const blocks = splitParagraphs(text);
  const [first, last] = touched(blocks, span);
  const head = blocks.slice(0, first);
  const tail = blocks.slice(last + 1);
  const changed = splitParagraphs(replaceSpan(text, span, replacement));
  if (changed.length < head.length + tail.length) return false;
  const own = changed.slice(head.length, changed.length - tail.length);
  return (
    isSame(head, changed.slice(0, head.length)) &&
    isSame(tail, changed.slice(changed.length - tail.length)) &&
    (first !== last || keepsForm(blocks[first]!, span, own))
  );
}

/** Returns whether a block of which a part is replaced keeps its form. A paragraph may become several blocks. */
function keepsForm(block: Paragraph, { start, end }: Span, changed: Paragraph[]): boolean {
  const isWhole = start <= block.start && end >= block.end;
  if (isWhole || block.kind === 'paragraph') return true;
  const [one, ...others] = changed;
  if (!one || others.length > 0 || one.kind !== block.kind || one.level !== block.level) return false;
  const columns = columnsOf(block.text);
  return (
    block.kind !== 'table' ||
    columns.size > 1 ||
    [...columnsOf(one.text)].every((count) => columns.has(count))
  );
}

/** Returns the numbers of separators of a table's rows: one number, if the table is regular. */
const columnsOf = (table: string): Set<number> =>
  new Set(table.split('\n').map((row) => row.match(/(?<!\\)\|/g)?.length ?? 0));

const isSame = (blocks: Paragraph[], others: Paragraph[]): boolean =>
  blocks.every(({ kind, text }, index) => others[index]?.kind === kind && others[index].text === text);

/** Returns the indexes of the first and the last block that a span touches. */
function touched(blocks: Paragraph[], { start, end }: Span): [number, number] {
  const first = blocks.findIndex((block) => block.end > start);
  const last = blocks.findLastIndex((block) => block.start < end);
  return first < 0 ? [blocks.length, blocks.length - 1] : [first, last];
}

function surroundings(text: string, span: Span): { before: string; after: string } {
  const blocks = splitParagraphs(text);
  const [first, last] = touched(blocks, span);
  const from = blocks[Math.max(0, first - NEIGHBOURS)]?.start ?? span.start;
  const to = blocks[Math.min(blocks.length - 1, last + NEIGHBOURS)]?.end ?? span.end;
  const start = Math.max(Math.min(from, span.start), span.start - MAX_AROUND);
  const end = Math.min(Math.max(to, span.end), span.end + MAX_AROUND);
  // A cut in the middle of a surrogate pair would leave text that cannot be stored.
  return {
    before: text.slice(start, span.start).replace(/^[\uDC00-\uDFFF]/, ''),
    after: cutAt(text.slice(span.end), end - span.end),
  };
}

function spanOfQuote(
  text: string,
  { quote, occurrence }: { quote: string; occurrence?: number | undefined },
): Span | SelectionProblem {
  const requestedOccurrence = occurrence ?? 1;
  let at = text.indexOf(quote);
  if (at < 0) return { problem: phrase('selection.not_in_text') };
  if (occurrence === undefined && text.includes(quote, at + 1))
    return {
      problem: phrase('selection.ambiguous'),
    };
  for (let n = 1; n < requestedOccurrence; n++) {
    at = text.indexOf(quote, at + 1);
    if (at < 0) return { problem: phrase('selection.fewer', { count: requestedOccurrence }) };
  }
  return { start: at, end: at + quote.length };
}

function spanOfLines(
  text: string,
  { first_line: first, last_line: last }: { first_line: number; last_line: number },
): Span | SelectionProblem {
  if (last < first) return { problem: phrase('selection.lines_reversed') };
  let start = 0;
  for (let line = 1; line < first; line++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return { problem: phrase('selection.few_lines', { count: line }) };
    start = end + 1;
  }
  let end = start - 1;
  for (let line = first; line <= last; line++) {
    end = text.indexOf('\n', end + 1);
    if (end >= 0) continue;
    if (line < last) return { problem: phrase('selection.few_lines', { count: line }) };
    end = text.length;
  }
  return { start, end };
}

function trimmed(text: string, { start, end }: Span): Span {
  const words = text.slice(start, end);
  const from = start + (words.length - words.trimStart().length);
  return { start: from, end: Math.max(from, start + words.trimEnd().length) };
}

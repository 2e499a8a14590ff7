import { hasWords, oneLine } from '#contracts/text.js';
import type { Span } from '#contracts/findings.js';
import { endsAbbreviated, sentenceEnds } from '#verbatim/source/sentences.js';
import { startsWithMonth } from './facts/dates.js';
import { type Paragraph, splitParagraphs } from './paragraphs.js';

/** A sentence of a markdown text with its span. */
export interface SpannedSentence extends Span {
  text: string;
  paragraph: Paragraph;
}

/** Footnote mark that cites a source: `[^label]`. */
export const NOTE = /\[\^([^\]\s]{1,80})\]/g;
const LIST_MARK = /^[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+/;

/**
 * Returns the sentences of a text's prose in order, without headings, code, front matter and footnotes. List items and
 * table rows end a sentence. A footnote mark after the full stop belongs to its sentence. Linear.
 */
export function sentencesIn(markdown: string, paragraphs = splitParagraphs(markdown)): SpannedSentence[] {
  return paragraphs.flatMap((paragraph) => {
    if (['heading', 'code', 'front_matter', 'footnote'].includes(paragraph.kind)) return [];
    return piecesOf(paragraph).flatMap((piece) => sentencesOfPiece(markdown, paragraph, piece));
  });
}

/** Returns the labels of the footnotes that a text refers to, in order, each once. */
export function noteLabels(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(NOTE), (match) => match[1] as string))];
}

/** Removes footnote marks from a text. */
export function withoutNotes(text: string): string {
  return text.replace(NOTE, '');
}

/**
 * Returns the parts of a paragraph that are split into sentences separately: each list item, each table row,
 * otherwise the whole.
 */
function piecesOf(paragraph: Paragraph): Span[] {
  const { start, end, text, kind } = paragraph;
  if (kind !== 'list' && kind !== 'table') return [{ start, end }];
  const pieces: Span[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const mark = LIST_MARK.exec(line);
    const last = pieces[pieces.length - 1];
    if (kind === 'table' || mark || !last)
      pieces.push({ start: start + at + (mark?.[0].length ?? 0), end: start + at + line.length });
    else last.end = start + at + line.length;
    at += line.length + 1;
  }
  return pieces;
}

function sentencesOfPiece(markdown: string, paragraph: Paragraph, piece: Span): SpannedSentence[] {
  const raw = markdown.slice(piece.start, piece.end);
  // Mask with the same length, to preserve offsets: footnote marks become closing quotes, line ends become
  // spaces.
  const masked = raw
    .replace(NOTE, (note) => '"'.repeat(note.length))
    .replace(/\r?\n[ \t]*>?[ \t]?/g, (gap) => ' '.repeat(gap.length));
  const found: SpannedSentence[] = [];
  let from = 0;
  const add = (end: number) => {
    const whole = masked.slice(from, end);
    const start = piece.start + from + (whole.length - whole.trimStart().length);
    const stop = piece.start + from + whole.trimEnd().length;
    from = end;
    const text = markdown.slice(start, stop);
    if (hasWords(withoutNotes(text))) found.push({ text, start, end: stop, paragraph });
  };
  for (const end of sentenceEnds(masked)) {
    const dayOfMonth = ORDINAL.test(masked.slice(from, end)) && startsWithMonth(masked.slice(end, end + 20));
    const isAbbreviated =
      endsAbbreviated(masked.slice(from, end).trimStart()) ||
      goesOn(masked.slice(from, end), masked.slice(end, end + 20));
    if (!dayOfMonth && !isAbbreviated) add(end);
  }
  if (from < masked.length) add(masked.length);
  return found;
}

/** Abbreviations and ordinals of German and Polish, which never end a sentence. */
const NEVER_LAST =
  /(?:^|[\s(])(?:ok|ul|im|św|prof|inż|gen|tzn|tj|np|mjr|kpt|al|pl|d\.\s?h|u\.\s?a|z\.\s?b|v\.\s?a|bzw|Nr|Bd|evtl|ggf|sog|St)\.$/u;
/** Those that end one only before a capital: `w 1871 r. zapalono`. */
const SELDOM_LAST =
  /(?:\d\s?(?:r|w|m|km|kg|tys|godz|min|zł|proc|[ap]\.m)|[IVX]{1,6}\s?w|tys|godz|m\.\s?in|itd|itp|usw|Jh)\.$/u;
/** `30 listopada 2022 r. Tadeusz Rokita`. */
const YEAR_R = /\d{4}\s?r\.$/u;
const FULL_NAME = /^\s+\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/u;
const ORDINAL = /(?<!\p{N})\d{1,2}\.$/u;

/** What millions count, with a capital in German. */
const MILLIONS = /\d\s?(?:Mio|Mrd|Tsd)\.$/u;
const COUNTED =
  /^\s+(?:\p{Ll}|€|Euro|Franken|Dollar|Mark|Pfund|Menschen|Einwohner|Besucher|Tonnen|Liter|Stück|Kubik|Quadrat|Hektar|Jahre)/u;

function goesOn(before: string, behind: string): boolean {
  if (NEVER_LAST.test(before)) return true;
  if (MILLIONS.test(before)) return COUNTED.test(behind);
  if (ORDINAL.test(before)) return /^\s+(?:\p{Ll}|Jahrhundert|Jahrhunderts|Jh)/u.test(behind);
  if (YEAR_R.test(before) && FULL_NAME.test(behind)) return true;
  return SELDOM_LAST.test(before) && /^\s+[\p{Ll}\d(–]/u.test(behind);
}

const MAX_SUMMARY = 700;

/** Summarizes a text by the first sentence of each paragraph, up to the length limit. */
export function summaryOf(content: string): string {
  const seen = new Set<string>();
  let summary = '';
  for (const { text, paragraph } of sentencesIn(content)) {
    if (seen.has(paragraph.id) || paragraph.kind !== 'paragraph') continue;
    seen.add(paragraph.id);
    const words = oneLine(withoutNotes(text));
    if (words.startsWith('*') || words.length < 30) continue;
    if (summary.length + words.length > MAX_SUMMARY) break;
    summary += summary === '' ? words : ` ${words}`;
  }
  return summary;
}

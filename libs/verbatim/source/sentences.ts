import { trimAsciiWhitespace } from '#markdown/trim.js';
import type { ScannedLine } from '#markdown/scan/scan.js';

/** A sentence with its first and last line (0-based). Headings and list items also end a sentence. */
export interface Sentence {
  text: string;
  first: number;
  last: number;
}

const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|no|nr|fig|dr|mr|mrs|ms|st|approx|ca|z\.b|bzw|usw)\.$/iu;
/** A single capital is an initial, unless it is the unit of a number. */
const INITIAL = /(?:^|[\p{L}.,]\s)\p{Lu}\.$/u;

/**
 * Splits the prose and headings of a scanned text into sentences; skips code, tables and rules. Linear.
 */
export function sentencesOf(scanned: ScannedLine[]): Sentence[] {
  const found: Sentence[] = [];
  let block: { text: string; line: number }[] = [];
  let quotes = 0;
  const flush = () => {
    splitBlock(block, found);
    block = [];
  };
  scanned.forEach((line, index) => {
    const heading = line.kind === 'heading' || line.kind === 'setext';
    if (line.kind !== 'prose' && !heading) return flush();
    if (heading || line.marker || line.quotes !== quotes) flush();
    quotes = line.quotes;
    const text = trimAsciiWhitespace(line.text);
    if (/[\p{L}\p{N}]/u.test(text)) block.push({ text, line: index });
    if (heading) flush();
  });
  flush();
  return found;
}

function splitBlock(block: { text: string; line: number }[], found: Sentence[]): void {
  let text = '';
  let first = -1;
  for (const { text: line, line: number } of block) {
    let from = 0;
    for (const end of sentenceEnds(line)) {
      const piece = line.slice(from, end);
      const whole = text === '' ? piece : `${text} ${piece}`;
      if (endsAbbreviated(whole)) continue;
      found.push({ text: trimAsciiWhitespace(whole), first: first < 0 ? number : first, last: number });
      text = '';
      first = -1;
      from = end;
    }
    const rest = trimAsciiWhitespace(line.slice(from));
    if (rest === '') continue;
    if (first < 0) first = number;
    text = text === '' ? rest : `${text} ${rest}`;
  }
  const last = block[block.length - 1];
  if (text !== '' && last) found.push({ text, first, last: last.line });
}

/**
 * Returns whether the final full stop belongs to an abbreviation or initial and therefore does not end a
 * sentence.
 */
export function endsAbbreviated(text: string): boolean {
  return ABBREVIATION.test(text) || INITIAL.test(text);
}

/**
 * Returns the offsets after sentence-ending punctuation (and closing quotes) that is followed by white space
 * or the end of the line.
 */
export function sentenceEnds(line: string): number[] {
  const ends: number[] = [];
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    if ('。！？'.includes(char)) {
      ends.push(i + 1);
      continue;
    }
    if (!'.!?'.includes(char)) continue;
    let end = i + 1;
    while (end < line.length && '.!?"\')]”’*_'.includes(line.charAt(end))) end++;
    if (end >= line.length || /\s/.test(line.charAt(end))) ends.push(end);
    i = end - 1;
  }
  return ends;
}

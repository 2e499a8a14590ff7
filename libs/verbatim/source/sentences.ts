import { hasSpace, hasWords } from '#contracts/text.js';
import { trimAsciiWhitespace } from '#markdown/trim.js';
import { type ScannedLine, isText } from '#markdown/scan/scan.js';
import { stems } from './stems.js';
import { hardTokens, type HardToken } from './tokens.js';

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
    if (hasWords(text)) block.push({ text, line: index });
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
    if (end >= line.length || hasSpace(line.charAt(end))) ends.push(end);
    i = end - 1;
  }
  return ends;
}

/** A sentence with the stems of its content words and its hard tokens. */
export interface Statement extends Sentence {
  stems: string[];
  tokens: HardToken[];
}

/** Returns the sentences of a manuscript as statements. */
export function statements(scanned: ScannedLine[]): Statement[] {
  return sentencesOf(scanned).map(statement);
}

/** Returns the sentences of a source as statements; a capitalized first word may be a name. */
export function sourceStatements(scanned: ScannedLine[]): Statement[] {
  const smallWords = smallWordsOf(scanned);
  return statements(scanned).map((sentence) => named(sentence, smallWords));
}

function statement(sentence: Sentence): Statement {
  return { ...sentence, stems: stems(sentence.text), tokens: hardTokens(sentence.text) };
}

function smallWordsOf(scanned: ScannedLine[]): Set<string> {
  const found = new Set<string>();
  for (const line of scanned) {
    if (isText(line)) for (const word of line.text.match(/(?<![\p{L}\p{N}])\p{Ll}+/gu) ?? []) found.add(word);
  }
  return found;
}

/** Adds the first word as a name if the next word suggests one and the text never has it in lower case. */
function named(sentence: Statement, smallWords: Set<string>): Statement {
  const match =
    /^[*_"“]*(\p{Lu}[\p{Ll}-]+)\s+(?:\p{Lu}\p{Ll}+|is|was|has|had|will|can|must|should|may|does|did|and|\p{Ll}+(?:ed|s))(?=[\s.,])/u.exec(
      sentence.text,
    );
  const word = match?.[1];
  if (word === undefined || STARTERS.test(word)) return sentence;
  if (sentence.tokens.some((token) => token.key === word || token.text === word)) return sentence;
  if (smallWords.has(word.toLowerCase())) return sentence;
  return {
    ...sentence,
    tokens: [...sentence.tokens, { kind: 'name', text: word, key: word, uncertain: true }],
  };
}

const STARTERS =
  /^(?:the|this|that|these|those|it|he|she|they|we|you|there|here|each|every|all|any|some|many|most|both|no|none|nobody|nothing|one|when|while|if|what|who|which|where|how|then|also|after|before|only|never|always|once|please|\p{L}+(?:ing|ly|tions?|ments?|ness|ity|ers|ors|s))$/iu;

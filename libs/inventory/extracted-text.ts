import { splitAtLineEnds } from '#contracts/text.js';
import { wordsOf, type WordRules } from './words.js';

/** Words that an extracted text reports as left out, with the kind of part that they belong to. */
export interface ReportedWords {
  kind: string;
  words: string[];
}

/** Words of an extracted text, by purpose. */
interface ExtractedWords {
  /** Words that the text shows, line by line. */
  shown: string[][];
  /** Pages of the lines that are rows of tables; 0 for a text without pages. */
  rows: Map<string[], number>;
  /** Words of addresses and names of pictures, which are not shown. */
  hidden: string[];
  reported: ReportedWords[];
  /** True if the text reports an omitted table of contents. */
  leavesOutContents: boolean;
  /** Page of the line that is read. */
  page: number;
}

const FENCE = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] ){0,80}(`{3,}|~{3,})/;
const ITEM_MARKER = /^([ \t>]{0,80})(?:[-*+]|(\d{1,9})[.)])[ \t]+(?:\[([ xX])\][ \t])?/;
const PAGE_MARK = /^page (\d{1,9})(?:; left out: (.*))?$/s;
const LEFT_OUT = /^left out: ([^:]{1,200}): (.*)$/s;
/** Number of omitted things, which are no words. */
const COUNT = /^(?:letters|pictures) that [a-z ]{1,60}: \d{1,9}$/;
const CONTENTS = /^left out: table of contents \(lines: \d+\)$/;

/**
 * Reads the words of an extracted text. In Markdown, marks of lists, headings and tables do not count, but numbers of lists do. The comments
 * `<!-- left out: KIND: words -->` and `<!-- page N; left out: words | words -->` report omitted words. Linear.
 *
 * @param isMarkdown false for text that is carried as it is, such as a log
 */
export function extractedWords(text: string, isMarkdown: boolean, rules: WordRules): ExtractedWords {
  const found: ExtractedWords = {
    ...{ shown: [], rows: new Map(), hidden: [], reported: [] },
    ...{ leavesOutContents: false, page: 0 },
  };
  let fence: string | null = null;
  for (const line of splitAtLineEnds(text)) {
    const mark = isMarkdown ? FENCE.exec(line)?.[1] : undefined;
    const isEnd = fence !== null && mark !== undefined && mark.startsWith(fence) && !/[^\s>`~]/.test(line);
    if (isEnd) fence = null;
    else if (fence !== null || !isMarkdown) found.shown.push(wordsOf(line, rules));
    else if (mark !== undefined) fence = mark;
    else found.shown.push(proseWords(line, found, rules));
  }
  return found;
}

function proseWords(line: string, found: ExtractedWords, rules: WordRules): string[] {
  const item = ITEM_MARKER.exec(line);
  const box = item?.[3] === undefined ? '' : item[3] === ' ' ? '☐ ' : '☒ ';
  const text = item ? `${item[2] ?? ''} ${box}${line.slice(item[0].length)}` : line;
  const shown = new LineReader(text, (comment) => readComment(comment, found, rules));
  found.hidden.push(...shown.hidden.flatMap((address) => wordsOf(address, rules)));
  const words = wordsOf(shown.text, rules);
  if (text.startsWith('|')) found.rows.set(words, found.page);
  return words;
}

function readComment(comment: string, found: ExtractedWords, rules: WordRules): void {
  const words = comment.trim().replace(TAGS, (tag) => SHOWN_TAGS[tag]!);
  const page = PAGE_MARK.exec(words);
  const part = LEFT_OUT.exec(words);
  if (page) found.page = Number(page[1]);
  if (page?.[2] !== undefined)
    for (const each of page[2].split(' | ').filter((part) => !COUNT.test(part)))
      report(found, ...pageKind(each, page[1]!), rules);
  else if (CONTENTS.test(words)) found.leavesOutContents = true;
  else if (part) report(found, part[1]!, part[2]!, rules);
}

/** Returns the kind and the words of one omitted line of a PDF page, such as `off the page: Draft`. */
function pageKind(text: string, page: string): [string, string] {
  const named = /^([a-z][a-z ]{2,40}): (.*)$/s.exec(text);
  return named ? [named[1]!, named[2]!] : [`header or footer of page ${page}`, text];
}

function report(found: ExtractedWords, kind: string, text: string, rules: WordRules): void {
  found.reported.push({ kind, words: wordsOf(text, rules) });
}

/** Tags that extracted text contains, and what they show. */
const SHOWN_TAGS: Record<string, string> = {
  '<br>': ' ',
  '<sup>': '^(',
  '<sub>': '_(',
  '</sup>': ')',
  '</sub>': ')',
};
const TAGS = /<(?:br|\/?su[bp])>/g;

/** Characters that Markdown escapes by a backslash. */
const PUNCTUATION = new Set('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');

/** Separates a line of Markdown into visible text, addresses and comments. */
class LineReader {
  text = '';
  readonly hidden: string[] = [];
  /** Lengths of `text` at the open brackets. */
  private readonly brackets: number[] = [];

  constructor(line: string, onComment: (comment: string) => void) {
    for (let at = 0; at < line.length;) at = this.step(line, at, onComment);
  }

  /** Reads the part at a position and returns the position of the next part. */
  private step(line: string, at: number, onComment: (comment: string) => void): number {
    const character = line[at]!;
    if (character === '\\') {
      // Only punctuation is escaped; a backslash before a letter begins a command of TeX.
      const isEscape = PUNCTUATION.has(line[at + 1] ?? '');
      this.text += line.slice(isEscape ? at + 1 : at, at + 2);
      return at + 2;
    }
    if (character === '<' && line.startsWith('<!--', at)) {
      const end = line.indexOf('-->', at + 4);
      onComment(line.slice(at + 4, end < 0 ? line.length : end));
      return end < 0 ? line.length : end + 3;
    }
    const tag = character === '<' && Object.keys(SHOWN_TAGS).find((each) => line.startsWith(each, at));
    if (tag) {
      this.text += SHOWN_TAGS[tag];
      return at + tag.length;
    }
    if (character === '[') this.brackets.push(this.text.length);
    if (character === ']' && this.brackets.pop() !== undefined && line[at + 1] === '(')
      return this.address(line, at + 2);
    this.text += character;
    return at + 1;
  }

  /** Reads the address of a link or the name of a picture, up to the bracket that ends it. */
  private address(line: string, from: number): number {
    const quoted = line[from] === '<' ? line.indexOf('>)', from) : -1;
    const end = quoted >= 0 ? quoted + 1 : endOfBracket(line, from);
    this.hidden.push(line.slice(from, end));
    this.text += ' ';
    return end + 1;
  }
}

function endOfBracket(line: string, from: number): number {
  let depth = 0;
  for (let at = from; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === '(') depth++;
    else if (line[at] === ')' && depth-- === 0) return at;
  }
  return line.length;
}

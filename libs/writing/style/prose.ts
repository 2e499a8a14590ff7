import { blanked } from '#contracts/text.js';
import type { Span } from '#contracts/findings.js';
import { splitParagraphs, type Paragraph } from '../paragraphs.js';
import { NOTE, sentencesIn, type SpannedSentence } from '../sentences.js';

/**
 * Text that is never reviewed or changed: code, formulas, addresses, link labels, footnotes, tags, template
 * commands.
 */
const PROTECTED = [
  /`[^`\n]{1,500}`/g,
  /\$\$[^$]{1,2000}\$\$/g,
  /(?<![\p{L}\p{N}$])\$(?![\s$])[^$\n]{1,300}(?<!\s)\$(?![\p{N}$])/gu,
  /\{[{%][^{}\n]{1,500}[}%]\}/g,
  /^ {0,3}\[[^\]\n]{1,200}\]:[^\n]{0,2000}$/gm,
  /\]\[[^\]\n]{0,200}\]/g,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>)\]]{1,2000}/gi,
  /\bwww\.[^\s<>)\]]{1,500}/gi,
  /[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}/g,
  /\]\([^)\s]{1,2000}\)/g,
  NOTE,
  /<[^<>\n]{1,300}>/g,
];
/** Quotations must not contain blank lines. */
const QUOTATIONS: [open: string, RegExp, close: string][] = [
  ['"', /(?<![\p{L}\p{N}])"(?!\s)((?:[^"\n]|\n(?!\s)){1,600})"/gu, '"'],
  between('“', '“”', '”'),
  between('„', '„“”"', '”'),
  between('„', '„“”"', '“'),
  between('„', '„“”"', '"'),
  between('”', '“”', '”'),
  between('«', '«»', '»'),
  between('»', '«»', '«'),
  [',,', /,,(?=\p{L})((?:[^,'"\n]|\n(?!\s)){1,600})''/gu, "''"],
  ['‘', /(?<!\p{L})‘((?:[^‘’\n]|(?<=\p{L})’(?=\p{L})|\n(?!\s)){2,600})’(?!\p{L})/gu, '’'],
  [
    "'",
    /(?<![\p{L}\p{N}])'(?!\s)((?:[^'\n]|(?<=\p{L})'(?=\p{L})|\n(?!\s)){2,300})(?<!\s)'(?![\p{L}\p{N}])/gu,
    "'",
  ],
];

/** Returns a row for quotations that contain none of the marks. */
function between(open: string, marks: string, close: string): (typeof QUOTATIONS)[number] {
  return [open, new RegExp(`${open}((?:[^${marks}\\n]|\\n(?!\\s)){1,600})${close}`, 'gu'), close];
}

/** A quotation with its marks `open` and `close`; the span covers the words between them. */
interface Quotation extends Span {
  open: string;
  close: string;
}

/**
 * A markdown text prepared for style analysis: everything that is not the author's prose is replaced with
 * spaces, to preserve offsets.
 */
export interface Prose {
  text: string;
  /** Same length as `text`, with spaces in place of code, addresses, notes and quotations. */
  own: string;
  paragraphs: Paragraph[];
  sentences: SpannedSentence[];
  quotations: Quotation[];
}

/** Prepares a markdown text for style analysis. Linear. */
export function readProse(text: string): Prose {
  const paragraphs = splitParagraphs(text);
  let own = outsideOf(text, paragraphs);
  for (const pattern of PROTECTED) own = own.replace(pattern, (found) => blanked(found));
  const quotations: Quotation[] = [];
  for (const [open, pattern, close] of QUOTATIONS)
    own = own.replace(pattern, (whole: string, words: string, at: number) => {
      // No quotation starts right after blanked code or an address: `x`'s.
      if (at > 0 && own.charAt(at - 1) === ' ' && !/[\s*_]/.test(text.charAt(at - 1))) return whole;
      const start = at + open.length;
      quotations.push({ start, end: start + words.length, open, close });
      // Blank the marks too, so that other patterns do not mistake a closing mark for an opening one.
      return blanked(whole);
    });
  quotations.sort((a, b) => a.start - b.start);
  return { text, own, paragraphs, sentences: sentencesIn(text, paragraphs), quotations };
}

/** Returns the text with spaces in place of blocks that are not prose. */
function outsideOf(text: string, paragraphs: Paragraph[]): string {
  let out = '';
  let at = 0;
  for (const { kind, start, end } of paragraphs) {
    out += text.slice(at, start);
    const isProse = kind === 'paragraph' || kind === 'list' || kind === 'heading';
    out += isProse ? text.slice(start, end) : blanked(text.slice(start, end));
    at = end;
  }
  return out + text.slice(at);
}

/** Returns the words of prose: letters with inner apostrophes and hyphens. */
export function proseWords(text: string): string[] {
  return text.match(PROSE_WORD) ?? [];
}

export const PROSE_WORD = /\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}+)*/gu;

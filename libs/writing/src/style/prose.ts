import type { Span } from '#contracts/findings.js';
import { splitParagraphs, type Paragraph } from '../paragraphs.js';
import { sentencesIn, type SpannedSentence } from '../sentences.js';

/** Never looked at and never changed: code, formulas, addresses, links' labels, notes, tags, commands of templates. */
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
  /\[\^[^\]\s]{1,80}\]/g,
  /<[^<>\n]{1,300}>/g,
];
/** Inside of a quotation: no empty line. */
const QUOTATIONS: [open: string, RegExp, close: string][] = [
  ['"', /(?<![\p{L}\p{N}])"(?!\s)((?:[^"\n]|\n(?!\s)){1,600})"/gu, '"'],
  ['“', /“((?:[^“”\n]|\n(?!\s)){1,600})”/gu, '”'],
  ['„', /„((?:[^„“”"\n]|\n(?!\s)){1,600})”/gu, '”'],
  ['„', /„((?:[^„“”"\n]|\n(?!\s)){1,600})“/gu, '“'],
  ['„', /„((?:[^„“”"\n]|\n(?!\s)){1,600})"/gu, '"'],
  ['”', /”((?:[^“”\n]|\n(?!\s)){1,600})”/gu, '”'],
  ['«', /«((?:[^«»\n]|\n(?!\s)){1,600})»/gu, '»'],
  ['»', /»((?:[^«»\n]|\n(?!\s)){1,600})«/gu, '«'],
  [',,', /,,(?=\p{L})((?:[^,'"\n]|\n(?!\s)){1,600})''/gu, "''"],
  ['‘', /(?<!\p{L})‘((?:[^‘’\n]|(?<=\p{L})’(?=\p{L})|\n(?!\s)){2,600})’(?!\p{L})/gu, '’'],
  [
    "'",
    /(?<![\p{L}\p{N}])'(?!\s)((?:[^'\n]|(?<=\p{L})'(?=\p{L})|\n(?!\s)){2,300})(?<!\s)'(?![\p{L}\p{N}])/gu,
    "'",
  ],
];

/** A quotation: `open` and `close` are its marks, the span is that of the words between them. */
export interface Quotation extends Span {
  open: string;
  close: string;
}

/** A markdown text as its style is read: everything that is not the author's prose is blanked out, so that offsets stay. */
export interface Prose {
  text: string;
  /** Of the length of `text`; blanks where code, addresses, notes and quotations stand. */
  own: string;
  paragraphs: Paragraph[];
  sentences: SpannedSentence[];
  quotations: Quotation[];
}

const blank = (text: string) => text.replace(/[^\n]/g, ' ');

/** Reads a markdown text. Linear. */
export function readProse(text: string): Prose {
  const paragraphs = splitParagraphs(text);
  let own = outsideOf(text, paragraphs);
  for (const pattern of PROTECTED) own = own.replace(pattern, blank);
  const quotations: Quotation[] = [];
  for (const [open, pattern, close] of QUOTATIONS)
    own = own.replace(pattern, (whole: string, words: string, at: number) => {
      // Behind code or an address that was blanked out no quotation begins: `x`'s.
      if (at > 0 && own.charAt(at - 1) === ' ' && !/[\s*_]/.test(text.charAt(at - 1))) return whole;
      const start = at + open.length;
      quotations.push({ start, end: start + words.length, open, close });
      // The marks go, too, so that no other pattern takes a closing one for an opening one.
      return blank(whole);
    });
  quotations.sort((a, b) => a.start - b.start);
  return { text, own, paragraphs, sentences: sentencesIn(text, paragraphs), quotations };
}

/** The text with blanks in place of whole blocks that are no prose. */
function outsideOf(text: string, paragraphs: Paragraph[]): string {
  let out = '';
  let at = 0;
  for (const { kind, start, end } of paragraphs) {
    out += text.slice(at, start);
    const isProse = kind === 'paragraph' || kind === 'list' || kind === 'heading';
    out += isProse ? text.slice(start, end) : blank(text.slice(start, end));
    at = end;
  }
  return out + text.slice(at);
}

/** Words of a piece of prose: letters with inner apostrophes and hyphens. */
export function proseWords(text: string): string[] {
  return text.match(/\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}+)*/gu) ?? [];
}

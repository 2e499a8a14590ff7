import type { Span } from '#contracts/findings.js';
import { splitParagraphs, type Paragraph } from '../paragraphs.js';
import { sentencesIn, type SpannedSentence } from '../sentences.js';

/** Never looked at and never changed: code, addresses, quotations, notes, what stands between tags. */
const PROTECTED = [
  /`[^`\n]{1,500}`/g,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>)\]]{1,2000}/gi,
  /\bwww\.[^\s<>)\]]{1,500}/gi,
  /[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}/g,
  /\]\([^)\s]{1,2000}\)/g,
  /\[\^[^\]\s]{1,80}\]/g,
  /<[^<>\n]{1,300}>/g,
];
const QUOTATION = /"([^"\n]{1,600})"|“([^“”\n]{1,600})”|„([^„“”\n]{1,600})[“”]|«([^«»\n]{1,600})»/g;

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
  for (const match of own.matchAll(QUOTATION)) {
    const words = (match[1] ?? match[2] ?? match[3] ?? match[4]) as string;
    const start = match.index + 1;
    const end = start + words.length;
    quotations.push({ start, end, open: match[0].charAt(0), close: match[0].at(-1)! });
  }
  for (const { start, end } of quotations)
    own = own.slice(0, start) + blank(own.slice(start, end)) + own.slice(end);
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

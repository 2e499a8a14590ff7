import type { Span } from '#contracts/findings.js';
import { splitParagraphs, type Paragraph } from './paragraphs.js';

/** What a model leaves in a draft that does not belong to it, and the place. */
export interface FormProblem extends Span {
  kind: 'text_before_heading' | 'text_after_end' | 'title_heading' | 'foreign_citation';
}

/** Form that a draft should have. */
interface DraftForm {
  /** Whether it begins with a title, a heading of level 1. */
  title: boolean;
  /** Whether its statements cite their sources, so that a last line that cites nothing may be a remark. */
  cited: boolean;
}

/** Maximum length of a remark after the end, in characters. */
const MAX_REMARK = 300;
const RULE = /^ {0,3}(?:-[ \t]*){3,}$|^ {0,3}(?:_[ \t]*){3,}$|^ {0,3}(?:\*[ \t]*){3,}$/;
/** `(912 words)`, `*[End of the chapter]*`. */
const IN_BRACKETS = /^[*_]{0,3}[([【].{1,300}[)\]】][*_]{0,3}$/;
/** Code, which is passed over, or words in brackets that are no link. */
const BRACKETS = /`[^`\n]*`|【[^【】\n]*】|(?<!\])\[[^[\]\n]*\](?![([:])/g;
/** `【1†source】`, `[1]`, `[1, 2]`, `[Source: …]`. */
const FOREIGN = /^【|^\[\d{1,3}(?:[,–-] ?\d{1,3})*\]$|^\[\p{L}+: /u;

/** Lists what does not belong to a draft, judged by its form in any language, in the order of the text. */
export function listFormProblems(text: string, form: DraftForm): FormProblem[] {
  const blocks = splitParagraphs(text).filter(({ kind }) => kind !== 'front_matter');
  const first = blocks.findIndex(({ kind }) => kind === 'heading');
  const titles = blocks.filter(({ level }, i) => level === 1 && !(form.title && i === 0));
  const place =
    (kind: FormProblem['kind']) =>
    ({ start, end }: Span): FormProblem => ({ kind, start, end });
  return [
    ...blocks.slice(0, Math.max(first, 0)).map(place('text_before_heading')),
    ...titles.map(place('title_heading')),
    ...remarksAfterEnd(blocks, form.cited && text.includes('[^')).map(place('text_after_end')),
    ...blocks.flatMap(foreignCitations).map(place('foreign_citation')),
  ].sort((a, b) => a.start - b.start);
}

/** Returns the last paragraph if it is a remark: in brackets, or without a citation after a rule, or a request. */
function remarksAfterEnd(blocks: Paragraph[], isCited: boolean): Paragraph[] {
  const body = blocks.filter(({ kind }) => kind !== 'footnote');
  const [before, last] = body.slice(-2);
  if (!before || !last || last.kind !== 'paragraph') return [];
  const { text } = last;
  if (text.length > MAX_REMARK || text.includes('\n') || text.includes('[^') || RULE.test(text)) return [];
  const isRemark = isCited && (RULE.test(before.text) || /[?!？！]["'”’)*_]*$/.test(text));
  return isRemark || IN_BRACKETS.test(text) ? [last] : [];
}

function foreignCitations({ kind, text, start }: Paragraph): Span[] {
  if (kind === 'code' || kind === 'footnote') return [];
  return Array.from(text.matchAll(BRACKETS))
    .filter(([words]) => FOREIGN.test(words))
    .map(({ index, 0: words }) => ({ start: start + index, end: start + index + words.length }));
}

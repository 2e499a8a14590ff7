import { splitParagraphs } from './paragraphs.js';
import { withoutNotes } from './sentences.js';

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu;

/** Counts the words that readers see: prose and headings, without code, footnotes and footnote marks. */
export function countWords(markdown: string): number {
  return splitParagraphs(markdown)
    .filter(({ kind }) => !['code', 'front_matter', 'footnote'].includes(kind))
    .reduce((sum, { text }) => sum + (withoutNotes(text).match(WORD)?.length ?? 0), 0);
}

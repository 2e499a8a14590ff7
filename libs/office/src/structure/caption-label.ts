import type { Inline } from './schema.js';

const WORDS = ['figure', 'fig', 'table', 'tab', 'rysunek', 'rys', 'tabela', 'abbildung', 'abb', 'tabelle'];
const LABEL = new RegExp(`^(${WORDS.join('|')})\\.?\\s*(\\d+)\\s*(?:[:.]|[–—-])\\s+(?=\\S)`, 'iu');

/** A caption that brings its own label, such as "Fig. 3 – ". */
export interface OwnLabel {
  /** As it is written, with the mark and the blank after it. */
  text: string;
  word: string;
  number: number;
}

/** The label that an author wrote at the start of a caption; null without one. */
export function ownLabel(caption: string): OwnLabel | null {
  const [text, word, number] = LABEL.exec(caption) ?? [];
  return text === undefined || word === undefined ? null : { text, word, number: Number(number) };
}

/** A caption without the label that its author wrote. */
export function withoutLabel(caption: string): string {
  return caption.slice(ownLabel(caption)?.text.length ?? 0);
}

/** The same for a caption in inlines. */
export function captionLabel(caption: readonly Inline[]): OwnLabel | null {
  const [first] = caption;
  return first?.type === 'text' && !first.marks ? ownLabel(first.value) : null;
}

/** The same caption without it. */
export function unlabelled(caption: readonly Inline[]): Inline[] {
  const [first, ...rest] = caption;
  return first?.type === 'text' && !first.marks
    ? [{ ...first, value: withoutLabel(first.value) }, ...rest]
    : [...caption];
}

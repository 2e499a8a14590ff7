import type { Inline } from '#contracts/structure.js';

const WORDS = ['figure', 'fig', 'table', 'tab', 'rysunek', 'rys', 'tabela', 'abbildung', 'abb', 'tabelle'];
const LABEL = new RegExp(`^(${WORDS.join('|')})\\.?\\s*(\\d+)\\s*(?:[:.]|[–—-])\\s+(?=\\S)`, 'iu');

/** Label written by the author at the start of a caption, such as "Fig. 3 – ". */
interface OwnLabel {
  /** Text as written, including the separator and the blank after it. */
  text: string;
  word: string;
  number: number;
}

/** Parses the author's label at the start of a caption; null for captions without a label. */
function ownLabel(caption: string): OwnLabel | null {
  const [text, word, number] = LABEL.exec(caption) ?? [];
  return text === undefined || word === undefined ? null : { text, word, number: Number(number) };
}

/** Returns a caption without the author's label. */
export function withoutLabel(caption: string): string {
  return caption.slice(ownLabel(caption)?.text.length ?? 0);
}

/** Like `ownLabel`, for a caption of inline content. */
export function captionLabel(caption: readonly Inline[]): OwnLabel | null {
  const [first] = caption;
  return first?.type === 'text' && !first.marks ? ownLabel(first.value) : null;
}

/** Like `withoutLabel`, for a caption of inline content. */
export function removeLabel(caption: readonly Inline[]): Inline[] {
  const [first, ...rest] = caption;
  return first?.type === 'text' && !first.marks
    ? [{ ...first, value: withoutLabel(first.value) }, ...rest]
    : [...caption];
}

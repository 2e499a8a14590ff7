import { escapeInline } from '#markdown/escape.js';

const RAISED: Record<string, string> = {
  '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹',
  '+': '⁺', '-': '⁻', '−': '⁻', '=': '⁼', '(': '⁽', ')': '⁾', n: 'ⁿ', i: 'ⁱ',
}; // prettier-ignore
const LOWERED: Record<string, string> = {
  '0': '₀', '1': '₁', '2': '₂', '3': '₃', '4': '₄', '5': '₅', '6': '₆', '7': '₇', '8': '₈', '9': '₉',
  '+': '₊', '-': '₋', '−': '₋', '=': '₌', '(': '₍', ')': '₎',
}; // prettier-ignore
/** Characters that Unicode reserves for programs. They mark shifted text until Markdown is escaped. */
const TAGS: Record<string, string> = {
  '\ufdd2': '<sup>',
  '\ufdd3': '</sup>',
  '\ufdd4': '<sub>',
  '\ufdd5': '</sub>',
};
const MARKS = /[\ufdd2-\ufdd5]/g;
const MARKED = /([\ufdd2\ufdd4])([^\ufdd2-\ufdd5]*)[\ufdd3\ufdd5]/g;

/**
 * Returns superscript text in Unicode's raised characters where they exist, otherwise between marks that `escapeShifted` and `plainShifts` replace.
 * `10` and a raised `6` become `10⁶`, never `106`.
 */
export function raisedText(text: string): string {
  return shifted(text, RAISED, '\ufdd2', '\ufdd3');
}

/** Returns subscript text as `raisedText` returns superscript text. */
export function loweredText(text: string): string {
  return shifted(text, LOWERED, '\ufdd4', '\ufdd5');
}

/** Escapes text for Markdown. Shifted text becomes `<sup>…</sup>` or `<sub>…</sub>`. */
export function escapeShifted(text: string): string {
  return withShiftTags(escapeInline(text));
}

/** Replaces the marks of shifted text by tags, in escaped text. */
export function withShiftTags(markdown: string): string {
  return markdown.replace(MARKS, (mark) => TAGS[mark]!);
}

/** Returns plain text with shifted text after `^` or `_`, as in `e^(2x)`. */
export function plainShifts(text: string): string {
  return text.replace(MARKED, (_, mark: string, words: string) => {
    const sign = mark === '\ufdd2' ? '^' : '_';
    return /^[\p{L}\p{N}]+\)?$/u.test(words) ? `${sign}${words}` : `${sign}(${words})`;
  });
}

/** Shifts the words of each line. Text that is shifted within shifted text is written plainly, because Word shows one level. */
function shifted(text: string, characters: Record<string, string>, begin: string, end: string): string {
  return plainShifts(text).replace(/\S(?:[^\n]*\S)?/g, (words) => {
    const mapped = [...words].map((character) => characters[character]);
    return mapped.every((character) => character !== undefined) ? mapped.join('') : begin + words + end;
  });
}

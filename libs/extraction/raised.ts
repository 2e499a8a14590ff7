const RAISED: Record<string, string> = {
  '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹',
  '+': '⁺', '-': '⁻', '−': '⁻', '=': '⁼', '(': '⁽', ')': '⁾', n: 'ⁿ', i: 'ⁱ',
}; // prettier-ignore
const LOWERED: Record<string, string> = {
  '0': '₀', '1': '₁', '2': '₂', '3': '₃', '4': '₄', '5': '₅', '6': '₆', '7': '₇', '8': '₈', '9': '₉',
  '+': '₊', '-': '₋', '−': '₋', '=': '₌', '(': '₍', ')': '₎',
}; // prettier-ignore
/** Endings of ordinal numbers, which mean the same if they are not raised. */
const ORDINAL = /^(?:st|nd|rd|th|er|re|ª|º)$/i;
/** An ordinal number with an ending of one letter, such as `2a`, `3.o` or `XIXe`, or `no` for a number. */
const SHORT_ORDINAL = /(?:\d\.?[eoa]|(?<![\p{L}\p{N}])(?:[IVXLC]{1,8}e|[Nn]o))$/u;
const LONGEST_ORDINAL = 11;

/**
 * Returns superscript text so that it differs from text on the line: in Unicode's raised characters where they exist, otherwise after `^`.
 * `10` and a raised `6` become `10⁶`, never `106`. The ending of an ordinal number is unchanged.
 *
 * @param before text before it on the line; empty in formulas, which contain no ordinal numbers
 */
export function raisedText(text: string, before = ''): string {
  const words = text.trim();
  const isOrdinal = ORDINAL.test(words) || SHORT_ORDINAL.test(before.slice(-LONGEST_ORDINAL) + words);
  return isOrdinal && before !== '' ? text : shifted(text, RAISED, '^');
}

/** Returns subscript text in Unicode's lowered characters where they exist, otherwise after `_`. */
export function loweredText(text: string): string {
  return shifted(text, LOWERED, '_');
}

function shifted(text: string, characters: Record<string, string>, mark: string): string {
  const words = text.trim();
  if (words === '') return text;
  const mapped = [...words].map((character) => characters[character]);
  if (mapped.every((character) => character !== undefined)) return mapped.join('');
  return /^[\p{L}\p{N}]+\)?$/u.test(words) ? `${mark}${words}` : `${mark}(${words})`;
}

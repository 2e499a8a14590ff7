const RAISED: Record<string, string> = {
  '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹',
  '+': '⁺', '-': '⁻', '−': '⁻', '=': '⁼', '(': '⁽', ')': '⁾', n: 'ⁿ', i: 'ⁱ',
}; // prettier-ignore
const LOWERED: Record<string, string> = {
  '0': '₀', '1': '₁', '2': '₂', '3': '₃', '4': '₄', '5': '₅', '6': '₆', '7': '₇', '8': '₈', '9': '₉',
  '+': '₊', '-': '₋', '−': '₋', '=': '₌', '(': '₍', ')': '₎',
}; // prettier-ignore
/** Endings of ordinal numbers, which mean the same if they are not raised. */
const ORDINAL = /^(?:st|nd|rd|th|er|re|e|o|a|ª|º)$/i;

/**
 * Returns superscript text so that it differs from text on the line: in Unicode's raised characters where they exist, otherwise after `^`.
 * `10` and a raised `6` become `10⁶`, never `106`.
 */
export function raisedText(text: string): string {
  return ORDINAL.test(text.trim()) ? text : shifted(text, RAISED, '^');
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

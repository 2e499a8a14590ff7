const WORD = /[\p{L}\p{N}_.,-]{2,60}/gu;
const FIGURE = /\d{1,9}(?:[.,]\d{1,6})?/g;
/** Digits behind a space, which may be those of the next column: `cyl 3 388 C`. */
const BESIDE = /(?<![\d.,])\d{1,3}[ \u00a0\u202f](\d{3})(?![\d.,])/gu;

/**
 * Returns the figures that a text contains in words such as `SF9` and `A405` and in neighbouring columns, as decimal
 * numbers. What they measure is not known, so that a sentence may state any of them.
 */
export function embeddedFigures(text: string): Set<string> {
  const words = (text.match(WORD) ?? []).filter((word) => /\p{L}/u.test(word));
  const digits = words.flatMap((word) => word.match(FIGURE) ?? []);
  const columns = Array.from(text.matchAll(BESIDE), ({ 1: column = '' }) => column);
  return new Set([...digits, ...columns].map((figure) => String(Number(figure.replace(',', '.')))));
}

const HANGUL = /[\uac00-\ud3ff]/;
const CUT = /[\ud400-\ud7ff]/g;

/**
 * Restores mathematical letters (U+1D400 to U+1D7FF), of which pdf.js cuts off the first digit where a font names them, as `u1D703` for θ.
 * What is left are the last Korean syllables, so a page with other Korean syllables stays as it is.
 *
 * @param items text items of one page; changed in place
 */
export function restoreMathLetters<Item extends { str: string }>(items: Item[]): Item[] {
  if (items.some(({ str }) => HANGUL.test(str))) return items;
  for (const item of items)
    item.str = item.str.replace(CUT, (letter) => String.fromCodePoint(0x10000 + letter.charCodeAt(0)));
  return items;
}

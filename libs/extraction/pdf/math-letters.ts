import { withoutPrivateCodes } from './glyph-names.js';
const HANGUL = /[\uac00-\ud3ff]/;
const CUT = /[\ud400-\ud7ff]/g;

/**
 * Restores mathematical letters (U+1D400 to U+1D7FF). pdf.js cuts off their first digit if a font names them, such as
 * `u1D703` for θ, and returns the last Korean syllables instead. So pages with other Korean syllables stay unchanged.
 *
 * @param items text items of one page; changed in place
 */
export function restoreMathLetters<Item extends { str: string }>(items: Item[]): Item[] {
  if (items.some(({ str }) => HANGUL.test(str))) return items;
  for (const item of items)
    item.str = withoutPrivateCodes(
      item.str.replace(CUT, (letter) => String.fromCodePoint(0x10000 + letter.charCodeAt(0))),
    );
  return items;
}

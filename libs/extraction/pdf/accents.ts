import type { ShownGlyph } from './read-drawing.js';

/** Combining characters of the accents that some programs draw over letters. */
const COMBINING: Record<string, string> = {
  '´': '\u0301', '`': '\u0300', 'ˆ': '\u0302', '¨': '\u0308', '˜': '\u0303', '¸': '\u0327', '˚': '\u030a',
  'ˇ': '\u030c', '¯': '\u0304', '˘': '\u0306', '˙': '\u0307', '˝': '\u030b', '˛': '\u0328',
}; // prettier-ignore
const DOTLESS: Record<string, string> = { ı: 'i', ȷ: 'j' };

/** Joins accents with the letters that they are drawn over, before or after them, where a letter with the accent exists. */
export function composeAccents(glyphs: readonly ShownGlyph[]): ShownGlyph[] {
  const composed: ShownGlyph[] = [];
  for (let at = 0; at < glyphs.length; at++) {
    const [glyph, next, last] = [glyphs[at]!, glyphs[at + 1], composed.at(-1)];
    const mark = COMBINING[glyph.text];
    const over = mark && next ? withMark(next, glyph, mark) : null;
    const below = mark && last && !over ? withMark(last, glyph, mark) : null;
    if (over) {
      composed.push({ ...over, afterBlank: glyph.afterBlank || over.afterBlank });
      at++;
    } else if (below) composed[composed.length - 1] = below;
    else composed.push(glyph);
  }
  return composed;
}

/** Returns a letter with an accent; null if the accent is elsewhere or no character has both. */
function withMark(letter: ShownGlyph, accent: ShownGlyph, mark: string): ShownGlyph | null {
  const [size, , , , x, y] = letter.transform;
  const middle = accent.transform[4] + accent.width / 2;
  const isOver = middle > x && middle < x + letter.width && Math.abs(accent.transform[5] - y) < size * 0.5;
  if (!isOver || !/^\p{L}$/u.test(letter.text)) return null;
  const text = ((DOTLESS[letter.text] ?? letter.text) + mark).normalize('NFC');
  return [...text].length === 1 ? { ...letter, text } : null;
}

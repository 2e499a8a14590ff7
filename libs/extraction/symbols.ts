import { SYMBOL_FONT } from '#contracts/symbol-font.js';

/** The characters of the Wingdings fonts that texts use. */
const WINGDINGS: Record<number, string> = {
  0x22: '✂', 0x28: '☎', 0x2a: '✉', 0x4a: '☺', 0x4c: '☹', 0x6c: '●', 0x6e: '■', 0x6f: '☐', 0x71: '❑', 0x72: '❒', 0x75: '◆', 0x76: '❖', 0x77: '⬥',
  0x8c: '①', 0x9f: '•', 0xa7: '▪', 0xa8: '☐', 0xab: '★', 0xd8: '➢', 0xdf: '←', 0xe0: '→', 0xe1: '↑', 0xe2: '↓', 0xe8: '➔',
  0xef: '⇦', 0xf0: '⇨', 0xf1: '⇧', 0xf2: '⇩', 0xfb: '✗', 0xfc: '✓', 0xfd: '☒', 0xfe: '☒',
}; // prettier-ignore
const WINGDINGS_2: Record<number, string> = {
  0x50: '✓',
  0x51: '☒',
  0x52: '☑',
  0x53: '☒',
  0x54: '☒',
  0xa3: '☐',
};

/**
 * Returns a character of a symbol font (`w:sym`) as Unicode. For an unknown character returns the font and the code, so
 * that readers notice the gap.
 *
 * @param code hexadecimal, such as `F06D`
 */
export function symbolText(font: string, code: string): string {
  const point = Number.parseInt(code, 16);
  if (!Number.isInteger(point) || point > 0x10ffff) return `[${font} ${code}]`;
  const index = point >= 0xf000 && point <= 0xf0ff ? point - 0xf000 : point;
  const name = font.toLowerCase();
  const known =
    name === 'symbol'
      ? SYMBOL_FONT[index - 0x20]?.replace(' ', index === 0x20 ? ' ' : '')
      : name === 'wingdings'
        ? WINGDINGS[index]
        : name === 'wingdings 2'
          ? WINGDINGS_2[index]
          : point < 0xe000 || point > 0xf8ff
            ? String.fromCodePoint(point)
            : undefined;
  return known || `[${font} ${code}]`;
}

/** Returns whether an element of a Word file is a symbol: `w:sym`, or `w16se:symEx` beyond the first 65,536 characters. */
export const isSymbol = (name: string): boolean => name === 'w:sym' || name === 'w16se:symEx';

/** Returns the character of a symbol of a Word file. */
export function wordSymbol(name: string, attributes: Readonly<Record<string, string>>): string {
  const prefix = name.slice(0, name.indexOf(':'));
  return symbolText(attributes[`${prefix}:font`] ?? '', attributes[`${prefix}:char`] ?? '');
}

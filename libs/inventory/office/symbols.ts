import { SYMBOL_FONT } from '#contracts/symbol-font.js';

/** Boxes and ticks in the Wingdings fonts. */
const BOXES: Record<string, Record<number, string>> = {
  wingdings: { 0x6f: '☐', 0x71: '☐', 0x72: '☐', 0xa8: '☐', 0xfb: '☒', 0xfc: '☒', 0xfd: '☒', 0xfe: '☒' },
  'wingdings 2': { 0x50: '☒', 0x51: '☒', 0x52: '☒', 0x53: '☒', 0x54: '☒', 0xa3: '☐' },
};

/**
 * Returns a character of a symbol font as Unicode. Characters of unknown shape are named by font and code, such as
 * `[Wingdings F0B7]`. Bullets and arrows of such fonts are empty.
 *
 * @param code hexadecimal, such as `F06D`
 */
export function symbolCharacter(font: string, code: string): string {
  const point = Number.parseInt(code, 16);
  if (!Number.isInteger(point) || point > 0x10ffff) return `[${font} ${code}]`;
  const index = point >= 0xf000 && point <= 0xf0ff ? point - 0xf000 : point;
  const name = font.trim().toLowerCase();
  if (name === 'symbol') return SYMBOL_FONT[index - 0x20] ?? ' ';
  if (name in BOXES) return BOXES[name]?.[index] ?? '';
  if (/^(?:wingdings|webdings)/.test(name)) return '';
  return point >= 0xe000 && point <= 0xf8ff ? `[${font} ${code}]` : String.fromCodePoint(point);
}

/** Parts of a formula: numerators, denominators, arguments, names of functions, degrees, limits, raised and lowered parts. */
const FORMULA_PARTS = new Set(['oMath', 'num', 'den', 'e', 'fName', 'deg', 'lim', 'sup', 'sub']);

/** Returns whether an element of an office file is a formula or a part of one. The words inside and outside do not join. */
export const isFormulaPart = (name: string): boolean => FORMULA_PARTS.has(name);

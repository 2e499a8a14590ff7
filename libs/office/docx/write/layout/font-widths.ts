/** Advance widths of Arial from U+0020 to U+017F in thousandths of the font size, two base-36 digits each. */
const REGULAR =
  '7q7q9vfgfgopij5b9999atg87q997q7qfgfgfgfgfgfgfgfgfgfg7q7qg8g8g8fgs7ijijk2k2ijgzlmk27qdwijfgn5k2lmijlmk2ijgzk2ijq8ijijgz7q7q7qd1fg99fgfgdwfgfg7qfgfg6666dw66n5fgfgfgfg99dw7qfgdwk2dwdwdw9a789ag80000000000000000000000000000000000000000000000000000000000000000007q99fgfgfgfg78fg99khaafgg899khfcb4f9999999g0ex7q9999a5fgn6n6n6gzijijijijijijrsk2ijijijij7q7q7q7qk2k2lmlmlmlmlmg8lmk2k2k2k2ijijgzfgfgfgfgfgfgopdwfgfgfgfg7q7q7q7qfgfgfgfgfgfgfgf9gzfgfgfgfgdwfgdwijfgijfgijfgk2dwk2dwk2dwk2dwk2h3k2fgijfgijfgijfgijfgijfglmfglmfglmfglmfgk2fgk2fg7q7q7q7q7q7q7q667q7qkfccdw66ijdwdwfg66fg66fg84fg9afg66k2fgk2fgk2fggsk3fglmfglmfglmfgrsq8k299k299k299ijdwijdwijdwijdwgz7qgzafgz7qk2fgk2fgk2fgk2fgk2fgk2fgq8k2ijdwijgzdwgzdwgzdw66';
const BOLD =
  '7q99d6fgfgopk26m9999atg87q997q7qfgfgfgfgfgfgfgfgfgfg9999g8g8g8gzr3k2k2k2k2ijgzlmk27qfgk2gzn5k2lmijlmk2ijgzk2ijq8ijijgz997q99g8fg99fggzfggzfg99gzgz7q7qfg7qopgzgzgzgzatfg99gzfglmfgfgdwat7satg80000000000000000000000000000000000000000000000000000000000000000007q99fgfgfgfg7sfg99khaafgg899khfcb4f9999999g0fg7q9999a5fgn6n6n6gzk2k2k2k2k2k2rsk2ijijijij7q7q7q7qk2k2lmlmlmlmlmg8lmk2k2k2k2ijijgzfgfgfgfgfgfgopfgfgfgfgfg7q7q7q7qgzgzgzgzgzgzgzf9gzgzgzgzgzfggzfgk2fgk2fgk2fgk2fgk2fgk2fgk2fgk2jzk2gzijfgijfgijfgijfgijfglmgzlmgzlmgzlmgzk2gzk2gz7q7q7q7q7q7q7q7q7q7qltfgfg7qk2fgfggz7qgz7qgzapgzdbgz7qk2gzk2gzk2gzjok3gzlmgzlmgzlmgzrsq8k2atk2atk2atijfgijfgijfgijfggz99gzdbgz99k2gzk2gzk2gzk2gzk2gzk2gzq8lmijfgijgzdwgzdwgzdw7q';

/** Average widths of characters outside the table. */
const GREEK_CYRILLIC = 600;
const WIDE = 1000;
const OTHER = 600;
const PUNCTUATION: Readonly<Record<string, number>> = {
  '\u2010': 333,
  '\u2011': 333,
  '\u2013': 556,
  '\u2014': 1000,
  '\u2018': 222,
  '\u2019': 222,
  '\u201A': 222,
  '\u201C': 333,
  '\u201D': 333,
  '\u201E': 333,
  '\u2022': 350,
  '\u2026': 1000,
  '\u2190': 1000,
  '\u2192': 1000,
  '\u2212': 584,
  '\u2264': 549,
  '\u2265': 549,
  '\u2500': 708,
  '\u00AD': 0,
  '\u200B': 0,
  '\uFE0F': 0,
};
/** Width of every character of Courier New. */
export const FIXED_WIDTH = 600;

const TABLES = [tableOf(REGULAR), tableOf(BOLD)] as const;
const FIRST = 0x20;

function tableOf(digits: string): Uint16Array {
  return Uint16Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 36),
  );
}

/** Returns the width of one UTF-16 unit in Arial, in thousandths of the font size. */
export function arialWidth(code: number, bold: boolean): number {
  const width = TABLES[bold ? 1 : 0][code - FIRST];
  if (width !== undefined && width > 0) return width;
  if (code < FIRST) return 0;
  const known = PUNCTUATION[String.fromCharCode(code)];
  if (known !== undefined) return known;
  if (code >= 0x300 && code <= 0x36f) return 0;
  if (code >= 0xd800 && code <= 0xdfff) return WIDE / 2;
  if (isWide(code)) return WIDE;
  return code < 0x530 ? GREEK_CYRILLIC : OTHER;
}

/**
 * Returns whether a character is an ideograph, a syllable or a full-width form: these are as wide as high,
 * and a line may break after each.
 */
export function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff00 && code <= 0xff60)
  );
}

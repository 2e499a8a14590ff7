import type { getDocumentProxy as openPdf } from 'unpdf';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof openPdf>>['getPage']>>;

/** Glyph of pdf.js. */
interface Glyph {
  unicode: string;
  originalCharCode: number;
}

/** Minimum distance between two words, in thousandths of the font size. */
const WORD_GAP = 150;

/** Font of pdf.js with its extra properties. */
interface NamedFont {
  composite?: boolean;
  toUnicode?: { _map?: readonly (string | undefined)[] };
  toFontChar?: readonly (number | undefined)[];
  differences?: readonly (string | undefined)[];
  data?: Uint8Array;
}

const DIGITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma1 sigma tau upsilon phi chi psi omega';
const OTHERS: Readonly<Record<string, string>> = {
  ...{
    germandbls: 'ß',
    ae: 'æ',
    AE: 'Æ',
    oe: 'œ',
    OE: 'Œ',
    oslash: 'ø',
    Oslash: 'Ø',
    lslash: 'ł',
    Lslash: 'Ł',
  },
  ...{ dotlessi: 'ı', dotlessj: 'ȷ', eth: 'ð', Eth: 'Ð', thorn: 'þ', Thorn: 'Þ', percent: '%' },
};
const ACCENTS =
  'grave \u0300 acute \u0301 circumflex \u0302 tilde \u0303 macron \u0304 breve \u0306 dotaccent \u0307 dieresis \u0308 ring \u030a hungarumlaut \u030b caron \u030c cedilla \u0327 ogonek \u0328'.split(
    ' ',
  );

/** Restores the letters of fonts that name them but give no characters for them; pdf.js returns their codes instead. */
export class PdfLetters {
  /** Restored letters by what pdf.js returns, by font. */
  private readonly fonts = new Map<string, ReadonlyMap<string, string>>();

  /** Learns the letters of the fonts of a page that are new. */
  async learn(page: Page, names: Iterable<string>): Promise<void> {
    const fresh = [...new Set(names)].filter((name) => !this.fonts.has(name));
    if (fresh.length === 0) return;
    await page.getOperatorList().catch(() => null);
    // pdf.js reports fonts in messages after the operator list.
    await new Promise((resolve) => setImmediate(resolve));
    for (const name of fresh) {
      const font = page.commonObjs.has(name) ? (page.commonObjs.get(name) as NamedFont) : {};
      this.fonts.set(name, await lettersIn(font));
    }
  }

  /** Returns whether pdf.js mistakes a letter of one of the fonts for white space and returns a blank for it. */
  hasHiddenLetters(fonts: Iterable<string>): boolean {
    return [...fonts].some((name) =>
      [...(this.fonts.get(name) ?? [])].some(([from, letters]) => /\s/.test(from) && letters.trim() !== ''),
    );
  }

  /** Returns the text that a page draws, in lines as it is drawn. */
  async drawnText(page: Page, names: Readonly<Record<string, number>>): Promise<string> {
    const { fnArray, argsArray } = await page.getOperatorList();
    let [text, font] = ['', ''];
    (fnArray as number[]).forEach((operator, at) => {
      const values = (argsArray as unknown[][])[at] ?? [];
      if (operator === names['setFont']) font = String(values[0]);
      else if (operator === names['moveText']) text += values[1] === 0 ? ' ' : '\n';
      else if ([names['beginText'], names['nextLine'], names['setTextMatrix']].includes(operator))
        text += '\n';
      else if (operator === names['showText'])
        for (const glyph of values[0] as (Glyph | number)[])
          if (typeof glyph === 'object') text += this.lettersOf(glyph, font);
          else if (glyph < -WORD_GAP) text += ' ';
    });
    return text;
  }

  private lettersOf({ unicode, originalCharCode }: Glyph, font: string): string {
    const isNamed = unicode === String.fromCharCode(originalCharCode);
    return isNamed ? this.restore(unicode, font) : unicode;
  }

  restore(text: string, font: string): string {
    const letters = this.fonts.get(font);
    return letters?.size ? [...text].map((letter) => letters.get(letter) ?? letter).join('') : text;
  }
}

async function lettersIn(font: NamedFont): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const map = font.toUnicode?._map;
  if (font.composite || map === undefined) return found;
  const codes = Array.from({ length: 256 }, (_, code) => code).filter((code) => map[code] === undefined);
  const names = font.differences?.length ? font.differences : await namesIn(font, codes);
  for (const code of codes) {
    const letters = names[code] === undefined ? null : lettersOf(names[code]);
    if (letters !== null) found.set(String.fromCharCode(code), letters);
  }
  return found;
}

/** Returns the names that the font itself has, by code. */
async function namesIn({ data, toFontChar }: NamedFont, codes: readonly number[]): Promise<string[]> {
  const names: string[] = [];
  if (!data) return names;
  const { create } = await import('fontkit');
  try {
    const font = create(Buffer.from(data));
    if (!('getGlyph' in font)) return names;
    // pdf.js may write the names one letter too late.
    const late = font.getGlyph(1).name === '.notdef' ? 1 : 0;
    for (const code of codes) {
      const { id } = font.glyphForCodePoint(toFontChar?.[code] ?? code);
      if (id > 0 && id + late < font.numGlyphs) names[code] = font.getGlyph(id + late).name;
    }
  } catch {
    return [];
  }
  return names;
}

/** Returns the letters and digits of a name, a blank for a sign; null for a name that says nothing, such as `g12`. */
function lettersOf(name: string): string | null {
  const parts = name
    .split(/(?!^)\./)[0]!
    .split('_')
    .map(partLetters);
  return parts.includes(null) ? null : parts.join('');
}

function partLetters(part: string): string | null {
  if (/^(?:[A-Za-z]|ff|fi|fl|ffi|ffl|ij|IJ|st)$/.test(part)) return part;
  const digit = DIGITS.indexOf(part.replace(/oldstyle$/, ''));
  if (digit >= 0) return String(digit);
  if (Object.hasOwn(OTHERS, part)) return OTHERS[part]!;
  const accent = ACCENTS.indexOf(part.slice(1));
  if (accent >= 0) return (part[0]! + ACCENTS[accent + 1]!).normalize('NFC');
  const small = part.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  const at = GREEK.split(' ').indexOf(small === 'sigma1' ? small : small.replace(/1$/, ''));
  if (at >= 0) return String.fromCodePoint((small === part ? 0x3b1 : 0x391) + at);
  const code = /^u(?:ni)?([0-9A-F]{4,6})$/.exec(part)?.[1];
  if (code !== undefined) return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, 16)));
  return /^[a-z]{4,}$/i.test(part) ? ' ' : null;
}

import type { Font as FontProgram } from 'fontkit';
import type { Font } from './pdfjs.js';

/** Characters by the name of their glyph, where the name is not the character itself. Names of accented letters are composed. */
const CHARACTERS: ReadonlyMap<string, string> = new Map(
  [
    'zero 0 one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9',
    'exclam ! quotedbl " numbersign # dollar $ percent % ampersand & quotesingle \' parenleft ( parenright ) asterisk *',
    'plus + comma , hyphen - period . slash / colon : semicolon ; less < equal = greater > question ? at @ bar |',
    'bracketleft [ backslash \\ bracketright ] asciicircum ^ underscore _ braceleft { braceright } asciitilde ~',
    'quoteleft ‘ quoteright ’ quotedblleft “ quotedblright ” quotesinglbase ‚ quotedblbase „ guillemotleft « guillemotright »',
    'guilsinglleft ‹ guilsinglright › endash – emdash — ellipsis … bullet • periodcentered · dagger † daggerdbl ‡ section §',
    'paragraph ¶ exclamdown ¡ questiondown ¿ cent ¢ sterling £ yen ¥ Euro € currency ¤ copyright © registered ® trademark ™',
    'degree ° ordfeminine ª ordmasculine º onesuperior ¹ twosuperior ² threesuperior ³ onehalf ½ onequarter ¼',
    'threequarters ¾ perthousand ‰ fraction ⁄ AE Æ ae æ OE Œ oe œ Oslash Ø oslash ø Lslash Ł lslash ł Eth Ð eth ð Thorn Þ',
    'thorn þ germandbls ß dotlessi ı dotlessj ȷ florin ƒ grave ` acute ´ circumflex ˆ tilde ˜ dieresis ¨ ring ˚ caron ˇ',
    'breve ˘ macron ¯ dotaccent ˙ hungarumlaut ˝ ogonek ˛ cedilla ¸',
    'Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω alpha α beta β gamma γ delta δ',
    'epsilon ϵ epsilon1 ε zeta ζ eta η theta θ theta1 ϑ iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π pi1 ϖ rho ρ rho1 ϱ',
    'sigma σ sigma1 ς tau τ upsilon υ phi φ phi1 ϕ chi χ psi ψ omega ω',
    'minus − plusminus ± multiply × divide ÷ logicalnot ¬ partialdiff ∂ infinity ∞ summation ∑ product ∏ coproduct ∐',
    'integral ∫ contintegral ∮ radical √ nabla ∇ element ∈ owner ∋ emptyset ∅ universal ∀ existential ∃ lessequal ≤',
    'greaterequal ≥ notequal ≠ equivalence ≡ similar ∼ similarequal ≃ approxequal ≈ proportional ∝ propersubset ⊂',
    'propersuperset ⊃ reflexsubset ⊆ reflexsuperset ⊇ union ∪ intersection ∩ logicaland ∧ logicalor ∨ arrowleft ←',
    'arrowup ↑ arrowright → arrowdown ↓ arrowboth ↔ arrowdblleft ⇐ arrowdblright ⇒ arrowdblboth ⇔ angbracketleft 〈',
    'angbracketright 〉 floorleft ⌊ floorright ⌋ ceilingleft ⌈ ceilingright ⌉ bardbl ‖ circleplus ⊕ circleminus ⊖',
    'circlemultiply ⊗ circledot ⊙ asteriskmath ∗ dotmath ⋅ star ⋆ openbullet ∘ perpendicular ⊥ turnstileleft ⊢',
    'turnstileright ⊣ prime ′ lscript ℓ weierstrass ℘ aleph ℵ Ifractur ℑ Rfractur ℜ',
  ].flatMap((line) => {
    const words = line.split(' ');
    return words.flatMap((word, at): [string, string][] => (at % 2 === 0 ? [[word, words[at + 1]!]] : []));
  }),
);
const LIGATURE = /^(?:ff|fi|fl|ffi|ffl|ij|IJ|st)$/;
const ACCENTS: Readonly<Record<string, string>> = {
  ...{ grave: '\u0300', acute: '\u0301', circumflex: '\u0302', tilde: '\u0303', macron: '\u0304' },
  ...{ breve: '\u0306', dotaccent: '\u0307', dieresis: '\u0308', ring: '\u030a', hungarumlaut: '\u030b' },
  ...{ caron: '\u030c', cedilla: '\u0327', commaaccent: '\u0326', ogonek: '\u0328' },
};
const ACCENTED = new RegExp(`^([A-Za-z])(${Object.keys(ACCENTS).join('|')})$`);
/** Sizes in which fonts of formulas have the same sign. */
const SIZED = /(?:oldstyle|text|display|big|Big|bigg|Bigg)$/;

/**
 * Returns the characters that the name of a glyph describes: `fi` for `f_i`, `é` for `eacute.sc`, `∑` for
 * `summationtext`; null for a meaningless name such as `g12`.
 */
export function charactersOfName(name: string): string | null {
  // A dot begins the name of a variant, an underscore joins the parts of a ligature.
  const parts = name.replace(/(?<=.)\..*$/s, '').split('_');
  const characters = parts.map(partCharacters);
  return characters.includes(null) ? null : characters.join('');
}

function partCharacters(part: string): string | null {
  if (/^[A-Za-z]$/.test(part) || LIGATURE.test(part)) return part;
  const known = CHARACTERS.get(part) ?? CHARACTERS.get(part.replace(SIZED, ''));
  if (known !== undefined) return known;
  const [, letter, accent] = ACCENTED.exec(part) ?? [];
  if (letter !== undefined) return (letter + ACCENTS[accent!]!).normalize('NFC');
  const code = Number.parseInt(/^u(?:ni)?([0-9A-F]{4,6})$/.exec(part)?.[1] ?? '', 16);
  return code > 0x1f && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    ? String.fromCodePoint(code)
    : null;
}

/** Letters with private codes by the standards of fonts: ligatures, old style digits, small capitals. */
const PRIVATE_CODES = /[\uF001\uF002\uF730-\uF739\uF761-\uF77A]/g;

/** Returns text with ordinary letters in place of private codes, which programs give to variants of letters. */
export const withoutPrivateCodes = (text: string): string =>
  text.replace(PRIVATE_CODES, (letter) => {
    const code = letter.charCodeAt(0);
    if (code < 0xf700) return code === 0xf001 ? 'fi' : 'fl';
    return String.fromCharCode(code - 0xf700).toUpperCase();
  });

/** Code of a letter in its font, and the character that pdf.js gives it in the font that it makes of the file's. */
export interface CodedGlyph {
  originalCharCode: number;
  fontChar: string;
}

/** Names of the glyphs in a font program. */
interface FontNames {
  /** @param code character that pdf.js gives the letter */
  nameOf(code: number): string | undefined;
}

/**
 * Finds the characters of letters that a file does not map to characters, by the names of their glyphs in the encoding
 * of the font or in the font itself. pdf.js returns the code of such a letter, which is its character only in ASCII.
 */
export class NamedGlyphs {
  /** Names by font; null for a font without names. */
  private readonly names = new Map<Font, FontNames | null>();
  private readonly missing = new Set<Font>();

  /** Loads the names in the fonts for which `charactersOf` needed them; false if it needed none. */
  async loadMissing(): Promise<boolean> {
    const fonts = [...this.missing];
    this.missing.clear();
    for (const font of fonts) this.names.set(font, await namesIn(font));
    return fonts.length > 0;
  }

  /** Returns the characters of a letter by its name or, in Dingbats, its code; null if the file gives its characters or no name says them. */
  charactersOf(font: Font, { originalCharCode: code, fontChar }: CodedGlyph): string | null {
    const { composite, toUnicode, differences = [] } = font;
    const known = toUnicode?._map?.[code] ?? '';
    // pdf.js returns the code where the file maps none.
    if (!composite && font.name?.endsWith('Dingbats') && known === String.fromCharCode(code))
      return dingbatOf(code);
    // Letters of several bytes have no names.
    if (composite || toUnicode?._map === undefined || toUnicode._map[code] !== undefined) return null;
    if (differences.length === 0 && !this.names.has(font)) this.missing.add(font);
    const name = differences[code] ?? this.names.get(font)?.nameOf(fontChar.codePointAt(0) ?? 0);
    return name === undefined ? null : charactersOfName(name);
  }
}

/** Signs whose characters are older than the block of Unicode that has the signs of the font Dingbats in the order of their codes. */
const OLDER_SIGNS: Readonly<Record<string, string>> = {
  ...{ '%': '☎', '*': '☛', '+': '☞', H: '★', l: '●', n: '■', s: '▲', t: '▼', u: '◆', w: '◗' },
};

/** Returns the sign of a code of the font Dingbats, such as ✓ for 3; null for its rare signs. */
function dingbatOf(code: number): string | null {
  if (code < 0x21 || code > 0x7e) return null;
  return OLDER_SIGNS[String.fromCharCode(code)] ?? String.fromCharCode(0x26e0 + code);
}

/** Returns the names of the glyphs in a font program; null for a font without a program or names. */
async function namesIn({ data }: Font): Promise<FontNames | null> {
  if (!data) return null;
  // The reader of fonts is large, and few files need it.
  const { create } = await import('fontkit');
  try {
    const program = create(Buffer.from(data)) as FontProgram;
    // pdf.js shifts the names by one glyph, so that the first letter is called `.notdef`.
    const shift = program.getGlyph(1).name === '.notdef' ? 1 : 0;
    const count = program.numGlyphs;
    return {
      nameOf: (code) => {
        const id = program.glyphForCodePoint(code).id + shift;
        return id > shift && id < count ? program.getGlyph(id).name : undefined;
      },
    };
  } catch {
    return null;
  }
}

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

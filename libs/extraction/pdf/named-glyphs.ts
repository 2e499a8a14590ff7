import type { Font as FontProgram } from 'fontkit';
import type { Font } from './drawing.js';
import { charactersOfName } from './glyph-names.js';

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

  /** Returns the characters of a letter by its name; null if the file gives its characters or no name says them. */
  charactersOf(font: Font, { originalCharCode: code, fontChar }: CodedGlyph): string | null {
    const { composite, toUnicode, differences = [] } = font;
    // Letters of several bytes have no names.
    if (composite || toUnicode?._map === undefined || toUnicode._map[code] !== undefined) return null;
    if (differences.length === 0 && !this.names.has(font)) this.missing.add(font);
    const name = differences[code] ?? this.names.get(font)?.nameOf(fontChar.codePointAt(0) ?? 0);
    return name === undefined ? null : charactersOfName(name);
  }
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

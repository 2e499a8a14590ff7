import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Font } from 'fontkit';

const FONT_FILE = /\.(ttf|otf|ttc|otc)$/i;
/** Letters contained in every text font, and characters without a visible glyph. */
const EVERYWHERE = /[\u0000-\u024F\u2010-\u2026\u20AC\p{Cf}\p{Cc}\p{Z}\p{M}\uFE00-\uFE0F]/gu;

/**
 * Returns the characters of a text for which no font in these folders has a glyph: a PDF with those fonts
 * would show empty boxes. Opens fonts one by one until every character is found.
 *
 * @returns each character once, in order of first occurrence
 */
export async function charactersWithoutGlyph(text: string, folders: readonly string[]): Promise<string[]> {
  const open = new Set(text.replace(EVERYWHERE, ''));
  if (open.size === 0) return [];
  for (const folder of folders)
    for (const path of await fontFiles(folder)) {
      for (const font of await fontsIn(path))
        for (const char of open) if (font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0)) open.delete(char);
      if (open.size === 0) return [];
    }
  return [...open];
}

async function fontFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder, { recursive: true });
    return names.filter((name) => FONT_FILE.test(name)).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Opens the fonts of a file or collection. Returns none if it is unreadable, as typesetters skip it too. */
async function fontsIn(path: string): Promise<Font[]> {
  const { open } = await import('fontkit');
  try {
    const font = await open(path);
    return 'fonts' in font ? font.fonts : [font];
  } catch {
    return [];
  }
}

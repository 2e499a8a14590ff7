import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { convert } from 'fontverter';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { renameFont } from './font-names.js';

/** Letters of Polish that the text face has in its second file, which is 60 kB. */
export const POLISH_LETTERS = 'ĄąĆćĘęŁłŃńŚśŹźŻż';
/** Family of the files, in CSS and in the files: the licence reserves the name "Source" for the original. */
export const FAMILY = 'Scriptorium Polish Letters';
export const STYLES = ['normal', 'italic'] as const;
/** Names of the font that are kept in addition to its own: licence and its address. */
const LICENCE_NAMES = [13, 14];

/**
 * Returns the Polish letters of the text face in all its weights, as WOFF2.
 *
 * @param packages folder of the installed packages
 */
export async function polishLettersOf(packages: string, style: (typeof STYLES)[number]): Promise<Buffer> {
  const folder = join(packages, '@fontsource-variable/source-sans-3/files');
  const font = readFileSync(join(folder, `source-sans-3-latin-ext-wght-${style}.woff2`));
  const letters = await subsetFont(font, POLISH_LETTERS, {
    targetFormat: 'truetype',
    preserveNameIds: LICENCE_NAMES,
  });
  const renamed = renameFont(letters, (name) =>
    name.replaceAll('Source Sans 3', FAMILY).replaceAll('SourceSans3', FAMILY.replaceAll(' ', '')),
  );
  return convert(renamed, 'woff2', 'truetype');
}

/** Writes the Polish letters of the text face into the packages' cache folder, where `src/ui/fonts.css` finds them. */
export const polishLetters = (packages: string): Plugin => ({
  name: 'polish-letters',
  async buildStart() {
    const folder = join(packages, '.cache/polish-letters');
    mkdirSync(folder, { recursive: true });
    for (const style of STYLES)
      writeFileSync(join(folder, `polish-letters-${style}.woff2`), await polishLettersOf(packages, style));
  },
});

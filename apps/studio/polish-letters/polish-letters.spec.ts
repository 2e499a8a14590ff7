import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fontkit from 'fontkit';
import { convert } from 'fontverter';
import { FAMILY, POLISH_LETTERS, STYLES, polishLettersOf } from './polish-letters.js';

const packages = join(import.meta.dirname, '../../../node_modules');
const original = (style: string, script: string) =>
  read(
    readFileSync(
      join(packages, `@fontsource-variable/source-sans-3/files/source-sans-3-${script}-wght-${style}.woff2`),
    ),
  );
// fontkit reads weights only from an uncompressed font.
const read = async (bytes: Buffer) => fontkit.create(await convert(bytes, 'truetype')) as fontkit.Font;
const hasLetter = (font: fontkit.Font, letter: string) => font.hasGlyphForCodePoint(letter.codePointAt(0)!);
const shapes = (font: fontkit.Font) =>
  [...POLISH_LETTERS].map((letter) => {
    const { path, advanceWidth } = font.glyphForCodePoint(letter.codePointAt(0)!);
    return `${letter} ${advanceWidth} ${path.toSVG()}`;
  });

describe.each(STYLES)('polishLettersOf (%s)', (style) => {
  it('together with the first file of the face, has every Polish letter, in less than 6 kB', async () => {
    const bytes = await polishLettersOf(packages, style);
    const [letters, latin] = [await read(bytes), await original(style, 'latin')];
    expect(bytes.length).toBeLessThan(6_000);
    for (const letter of 'ĄąĆćĘęŁłŃńÓóŚśŹźŻż')
      expect([letter, hasLetter(letters, letter) || hasLetter(latin, letter)]).toEqual([letter, true]);
    expect(hasLetter(letters, 'č')).toBe(false);
  });

  it('draws the letters as the original does, in all weights', async () => {
    const letters = await read(await polishLettersOf(packages, style));
    const face = await original(style, 'latin-ext');
    expect(shapes(letters)).toEqual(shapes(face));
    expect(letters.variationAxes).toEqual(face.variationAxes);
    for (const wght of [400, 600, 700])
      expect(shapes(letters.getVariation({ wght }))).toEqual(shapes(face.getVariation({ wght })));
    const metrics = ({ ascent, descent, unitsPerEm }: fontkit.Font) => ({ ascent, descent, unitsPerEm });
    expect(metrics(letters)).toEqual(metrics(face));
  });

  it('bears another name, because the licence reserves the original one, and keeps the copyright', async () => {
    const letters = await read(await polishLettersOf(packages, style));
    expect(letters.familyName).toContain(FAMILY);
    expect(letters.copyright).toMatch(/^© \d+ Adobe .* with Reserved Font Name ‘Source’$/);
    const { copyright: _, ...names } = (letters as unknown as { name: { records: object } }).name.records as {
      copyright: object;
    };
    expect(JSON.stringify(names)).toContain('scripts.sil.org/OFL');
    expect(JSON.stringify(names)).not.toContain('Source');
  });
});

/** Glyph of a font: its code and its name. */
interface NamedGlyph {
  code: number;
  name: string;
}

const WIDTH = 500;

/**
 * Returns the objects of a PDF for a font without a `ToUnicode` table and without an encoding in the PDF: only the font
 * program, in the Compact Font Format, has codes and glyph names. The glyphs are empty.
 *
 * @param first number of the first object
 */
export function namedFont(glyphs: readonly NamedGlyph[], first: number): { font: string; objects: string[] } {
  const program = compactFont(glyphs);
  const codes = glyphs.map(({ code }) => code);
  const [least, most] = [Math.min(...codes), Math.max(...codes)];
  const widths = `/FirstChar ${least} /LastChar ${most} /Widths [${`${WIDTH} `.repeat(most - least + 1)}]`;
  return {
    font: `<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Named ${widths} /FontDescriptor ${first} 0 R >>`,
    objects: [
      `<< /Type /FontDescriptor /FontName /ABCDEF+Named /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontFile3 ${first + 1} 0 R >>`,
      `<< /Subtype /Type1C /Filter /ASCIIHexDecode /Length ${program.length + 1} >>\nstream\n${program}>\nendstream`,
    ],
  };
}

/** Returns a font program as hexadecimal digits. */
function compactFont(glyphs: readonly NamedGlyph[]): string {
  const header = [1, 0, 4, 4];
  const name = index([ascii('Named')]);
  // Names beyond the 391 standard ones are strings of the font.
  const strings = index(glyphs.map((glyph) => ascii(glyph.name)));
  const charset = [0, ...glyphs.flatMap((_, at) => short(391 + at))];
  const encoding = [0, glyphs.length, ...glyphs.map(({ code }) => code)];
  // Each glyph, the missing one first, only ends.
  const shapes = index([[14], ...glyphs.map(() => [14])]);
  const top = (at: number): number[] =>
    index([
      [
        ...[...integer(at), 15],
        ...[...integer(at + charset.length), 16],
        ...[...integer(at + charset.length + encoding.length), 17],
        ...[...integer(0), ...integer(at), 18],
      ],
    ]);
  const before = (at: number) => [...header, ...name, ...top(at), ...strings, 0, 0];
  const bytes = [...before(before(0).length), ...charset, ...encoding, ...shapes];
  return Buffer.from(bytes).toString('hex');
}

const ascii = (text: string): number[] => [...Buffer.from(text, 'ascii')];
const short = (value: number): number[] => [value >> 8, value & 0xff];
const integer = (value: number): number[] => [29, 0, 0, ...short(value)];

/** Returns a list of the format: number of entries, size of an offset, offsets, entries. */
function index(entries: readonly (readonly number[])[]): number[] {
  let at = 1;
  const offsets = [1, ...entries.map((entry) => (at += entry.length))];
  return [...short(entries.length), 2, ...offsets.flatMap(short), ...entries.flat()];
}

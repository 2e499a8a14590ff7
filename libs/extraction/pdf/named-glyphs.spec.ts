import { takeInventory } from '#inventory/take-inventory.js';
import { namedFont } from '#testing/named-font.js';
import { pdfFile } from '#testing/sample-files.js';
import { extractText } from '../extract.js';
import { charactersOfName } from './glyph-names.js';

const GLYPHS = [
  ...[...'abcdefghijlmnoprstuw'].map((letter) => ({ code: letter.charCodeAt(0), name: letter })),
  ...['fi', 'f_f_i', 'eacute.sc', 'germandbls'].map((name, at) => ({ code: 12 + at, name })),
  { code: 32, name: 'psi' },
  { code: 104, name: 'angbracketleft' },
  { code: 1, name: 'g17' },
].filter(({ code, name }) => name !== 'h' || code !== 104);

describe('letters of a PDF that only glyph names identify', () => {
  const encoding = `/Encoding << /Type /Encoding /Differences [${GLYPHS.map(({ code, name }) => `${code} /${name}`).join(' ')}] >>`;
  it.each([
    ['the font program', namedFont(GLYPHS, 9)],
    [
      'the encoding',
      { font: `<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman ${encoding} >>`, objects: [] },
    ],
  ])('X1 reads ligatures, accents and signs by their names in %s', async (_, font) => {
    const operators =
      '[(de) (\\014ned) -400 (o\\015ce) -400 (caf\\016) -400 (stra\\017e) -400 (h) ( ) (a)] TJ';
    const bytes = pdfFile(operators, font);
    const { text } = await extractText(bytes, 'a.pdf');
    expect(text).toBe('defined office café straße 〈ψa\n');
    expect(await takeInventory(bytes, 'a.pdf', { text, encoding: null })).toMatchObject({ lost: 0 });
    const cut = text.replace('defined', 'de ned');
    expect(await takeInventory(bytes, 'a.pdf', { text: cut, encoding: null })).toMatchObject({ lost: 1 });
  });

  it('X1 reads the signs of Dingbats by their codes', async () => {
    const marks = ['a', 'b', 'c', 'd'].map((_, at) => ({ code: [51, 55, 72, 110][at]!, name: `a${at}` }));
    const named = namedFont(marks, 9);
    const font = {
      font: named.font.replace('Named', 'Dingbats'),
      objects: named.objects.map((each) => each.replace('+Named', '+Dingbats')),
    };
    const { text } = await extractText(pdfFile('(37Hn) Tj', font), 'a.pdf');
    expect(text).toBe('✓✗★■\n');
  });

  it('X1 counts letters with meaningless names', async () => {
    const { text } = await extractText(pdfFile('(a\\001b) Tj', namedFont(GLYPHS, 9)), 'a.pdf');
    expect(text).toMatch(/^<!-- page 1; left out: letters that the file does not map to characters: 1 -->/);
  });

  it.each([
    ['f_i', 'fi'],
    ['T_h.swash', 'Th'],
    ['one.oldstyle', '1'],
    ['zerooldstyle', '0'],
    ['Zdotaccent', 'Ż'],
    ['uni0141', 'Ł'],
    ['u1F600', '😀'],
    ['parenleftBigg', '('],
    ['summationdisplay', '∑'],
    ['g12', null],
    ['uniD800', null],
    ['.notdef', null],
  ])('X1 reads the name %s as %s', (name, characters) => {
    expect(charactersOfName(name)).toBe(characters);
  });
});

import { FoundWords } from './found-words.js';

describe('words that other programs read', () => {
  const found = new FoundWords(
    'Tide tables of 〈name〉 at x²_j, and café <!-- page 2; left out: header: Annual | letters that the file does not map to characters: 2 -->',
  );
  it.each([
    ['words of the text, also parted otherwise', 'Tide tab les ofname mill', ['mill']],
    ['words that the text leaves out', 'Annual review', ['review']],
    ['accents of their own, and numbers of notes', 'caf´e cafe´7', ['7']],
    ['symbols of formulas in another order', 'xj2', []],
    ['the angle brackets of pdftotext', 'ofhnameiat hnamei', []],
    ['signs that programs show as letters', 'Z ZZ Za', ['Za']],
    ['words of two directions', '\u202bname\u202ctables', []],
  ])('X1 are compared with %s', (_, line, missing) => {
    expect(found.missingOf(line)).toEqual(missing);
  });

  it('X1 are counted for letters that the text reports as unmapped', () => {
    expect(found.unnamed).toBe(2);
  });
});

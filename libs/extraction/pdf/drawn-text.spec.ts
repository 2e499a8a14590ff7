import fc from 'fast-check';
import { takeInventory } from '#inventory/take-inventory.js';
import { pdfFile } from '#testing/sample-files.js';
import { extractText } from '../extract.js';

const textOf = async (operators: string, options?: Parameters<typeof pdfFile>[1]) =>
  (await extractText(pdfFile(operators, options), 'a.pdf')).text;
const at = (x: number, y: number, operators: string, size = 12) =>
  `/F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm ${operators}`;
const path = (operators: string) => `ET ${operators} BT`;

describe('text of a PDF as it is drawn', () => {
  it.each([
    ['words', `${at(50, 700, '(Harbour dues) Tj')} ${at(50.4, 700, '(Harbour dues) Tj')}`],
    ['a shadow', `${at(52, 697.5, '(Harbour dues) Tj')} ${at(50, 700, '(Harbour dues) Tj')}`],
    ['letters', [...'Harbour dues'].map((c, i) => at(50 + 9 * i, 700, `(${c}) Tj (${c}) ' `)).join(' ')],
    [
      'parts of the words',
      `${at(50, 700, '(Harbour dues) Tj')} ${at(50, 700, '[(Harb) 0 (our)] TJ ( dues) Tj')}`,
    ],
  ])('X1 returns %s once if they are drawn twice', async (_name, operators) => {
    const text = await textOf(`0 TL ${operators} ${at(50, 400, '(Nothing else.) Tj')}`);
    expect(text.replace(/\s/g, '')).toBe('Harbourdues' + 'Nothingelse.');
  });

  it('X1 returns a bold word once if its last drawing continues with other words', async () => {
    const copies = [0, 0.1, 0.2].map((step) => at(62 + step, 700.5, '(dues) Tj')).join(' ');
    const operators = `${at(50, 700, '[(1) -495 (dues)] TJ')} ${copies} ${at(62.3, 699.5, '[(dues) -300 (Harbour)] TJ')}`;
    const bytes = pdfFile(`${operators} ${at(50, 400, '(Nothing else.) Tj')}`);
    const { text } = await extractText(bytes, 'a.pdf');
    expect(text).toBe('1 dues Harbour\n\nNothing else.\n');
    expect(await takeInventory(bytes, 'a.pdf', { text, encoding: null })).toMatchObject({ lost: 0 });
  });

  it('X1 separates words and numbers that are drawn over each other, but not the letters of a logo', async () => {
    const label = `${at(50, 700, '(Valid until June 2008) Tj', 8)} ${at(105, 702, '(2008) Tj', 30)}`;
    const logo = `${at(50, 400, '(L) Tj', 12)} ${at(50.5, 402, '(A) Tj', 9)}`;
    expect(await textOf(`${label} ${logo}`)).toMatch(/June 2008 2008[^]*LA/);
  });

  it('X1 keeps repeated words and double letters that do not overlap', async () => {
    const operators = `${at(50, 700, '(had had 11 22 bookkeeper ill) Tj')} ${at(50, 686, '(had had 11 22) Tj')}`;
    expect(await textOf(operators)).toBe('had had 11 22 bookkeeper ill\nhad had 11 22\n');
  });

  it('X1 keeps the blank of a number that letter spacing makes, which is undone between other digits', async () => {
    const number = '3 Tc [(45) 300 (5) 300 (9)] TJ 0 Tc';
    expect(await textOf(at(50, 700, number, 10))).toBe('4 559\n');
  });

  it('X1 parts two digits that only a letter spacing of their own parts', async () => {
    expect(await textOf(at(50, 700, '7 Tc (24) Tj 0 Tc'))).toBe('2 4\n');
  });

  it('X1 parts a number from the number of a note at another height, but not the letters of a logo', async () => {
    const note = `${at(50, 700, '(IEEE-754) Tj')} ${at(101.4, 703, '(15) Tj', 11)}`;
    expect(await textOf(note)).toBe('IEEE-754 15\n');
    expect(await textOf(`${at(50, 700, '(T) Tj')} ${at(57, 697, '(E) Tj')}`)).toBe('TE\n');
  });

  it('X1 reads figures that letter spacing moves to their columns as cells', async () => {
    const row = (y: number, figures: string) => at(50, y, `0 Tc (Guam) Tj 40 0 Td 30 Tc (${figures}) Tj`, 6);
    const text = await textOf(`${row(700, '000')} ${row(690, '120')} ${row(680, '045')}`);
    expect(text).toContain('| Guam | 0 | 4 | 5 |');
  });

  it('X1 reads a raised number that begins before the end of its word after the word', async () => {
    const raised = `${at(50, 700, '(Harbour dues) Tj')} ${at(112, 705, '(4) Tj', 8)}`;
    expect(await textOf(raised)).toBe('Harbour dues4\n');
  });

  it('X1 keeps different words that overlap by chance', async () => {
    const operators = `${at(50, 700, '(stone) Tj')} ${at(50, 701, '(stern) Tj')}`;
    expect((await textOf(operators)).replace(/\s/g, '').split('').sort().join('')).toBe('eennorsstt');
  });

  it.each([
    ['a smaller size and a higher place', `${at(50, 700, '(10) Tj')} ${at(63.4, 704, '(6) Tj', 7)}`, '10⁶'],
    ['a text rise', `${at(50, 700, '(10) Tj 4 Ts (6) Tj 0 Ts ( m) Tj')}`, '10⁶ m'],
    ['a smaller size and a lower place', `${at(50, 700, '(H) Tj')} ${at(58.7, 697, '(2) Tj', 7)}`, 'H₂'],
    ['a raised word', `${at(50, 700, '(x) Tj')} ${at(56, 704, '(max) Tj', 7)}`, 'x<sup>max</sup>'],
    [
      'a raised letter',
      `${at(50, 700, '(\\\\euro) Tj')} ${at(77.5, 704, '(a) Tj', 7)}`,
      '\\euro<sup>a</sup>',
    ],
    ['an ordinal of one letter', `${at(50, 700, '(2) Tj')} ${at(56.7, 704, '(a) Tj', 7)}`, '2<sup>a</sup>'],
    ['an ordinal', `${at(50, 700, '(4) Tj')} ${at(56.7, 704, '(th) Tj', 7)}`, '4<sup>th</sup>'],
  ])('X1 returns superscripts and subscripts drawn by %s as such', async (_name, operators, expected) => {
    expect(await textOf(operators)).toBe(`${expected}\n`);
  });

  it.each([
    ['a stroke', path('1 w 73 704 m 100 704 l S')],
    ['a filled rectangle', path('73 703.5 27 1 re f')],
  ])('X1 returns words struck through by %s as deleted', async (_name, line) => {
    expect(await textOf(`${at(50, 700, '(Pay 6400 EUR now) Tj')} ${line}`)).toBe('Pay ~~6400~~ EUR now\n');
  });

  it('X1 joins accents with the letters below them', async () => {
    const operators = `${at(50, 700, '(G) Tj')} ${at(60.6, 700, '(\\264) Tj')} ${at(59.3, 700, '(erard) Tj')}`;
    expect(await textOf(`${operators} ${at(50, 680, '(a \\264 b) Tj')}`)).toBe('Gérard\na ´ b\n');
  });

  it('X1 names letters without characters, and leaves their codes out', async () => {
    const text = await textOf(at(50, 700, '(Berth \\000\\001 7) Tj'));
    expect(text).not.toMatch(/[\0-\x08]/);
    expect(text).toContain('Berth');
  });

  it('X1 does not change underlined and framed words', async () => {
    const lines = path('50 698 60 0.5 re f 48 696 70 16 re S 48 690 70 0 re S');
    expect(await textOf(`${at(50, 700, '(Pay 640 EUR) Tj')} ${lines}`)).toBe('Pay 640 EUR\n');
  });

  it('X1 opens a file with other bytes before its header', async () => {
    const file = pdfFile(at(50, 700, '(Words) Tj'));
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 900 }), async (bytes) => {
        const { text } = await extractText(Buffer.concat([bytes, file]), 'a.pdf');
        expect(text).toBe('Words\n');
      }),
      { numRuns: 20, examples: [[new Uint8Array([0xef, 0xbb, 0xbf])]] },
    );
    await expect(extractText(Buffer.from('Words'), 'a.pdf')).rejects.toThrow('a.pdf is not a PDF');
  });
});

import fc from 'fast-check';
import { takeInventory } from '#inventory/take-inventory.js';
import { hebrewPdf, type HebrewLine } from '#testing/hebrew-pdf.js';
import { extractText } from '../extract.js';
import { inReadingDirection } from './text-direction.js';

const read = async (bytes: Uint8Array) => {
  const { text } = await extractText(bytes, 'a.pdf');
  expect(await takeInventory(bytes, 'a.pdf', { text, encoding: null })).toMatchObject({ lost: 0 });
  return text.trimEnd();
};
const below = (lines: string[], right: number, more: Partial<HebrewLine> = {}, y = 700): HebrewLine[] =>
  lines.map((text, at) => ({ text, right, y: y - at * 13, ...more }));

const FIRST = [
  'המנוף שומן בכל בוקר לפני שהסירות',
  'הגיעו אל הרציף של נמל הצפון בעיר',
  'ונסגר שוב לאחר שנים רבות.',
];
const SECOND = ['בשנה השלישית הגיעה כננת חדשה מאד', 'והיא עבדה היטב עד סוף הקיץ ההוא', 'עם שתי ידיות של עץ.'];

describe('PDF with right-to-left scripts', () => {
  it.each([2, 3])('X1 reads the right one of two columns of %d lines first', async (count) => {
    const [first, second] = [FIRST.slice(-count), SECOND.slice(-count)];
    const text = await read(hebrewPdf([...below(second, 290), ...below(first, 550)]));
    expect(text.replace(/\s+/g, ' ')).toBe([...first, ...second].join(' '));
  });

  it('X1 reads the columns of any words in order, each as a whole', async () => {
    const word = fc.stringMatching(/^[\u05d0-\u05ea]{2,9}$/);
    const words = fc.array(word, { minLength: 40, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        words,
        fc.integer({ min: 4, max: 20 }),
        fc.integer({ min: 0, max: 8 }),
        async (all, count, shift) => {
          const lines = (from: number) =>
            Array.from({ length: count }, (_, at) => {
              let line = '';
              for (let next = from + at; line.length < 30; next++) line += ` ${all[next % all.length]}`;
              return line.trim().slice(0, 38).trim();
            });
          const [first, second] = [lines(0), lines(17)];
          const pdf = hebrewPdf([...below(second, 280, {}, 700 - shift), ...below(first, 550)]);
          const { text } = await extractText(pdf, 'a.pdf');
          expect(text.replace(/\s+/g, ' ').trim()).toBe([...first, ...second].join(' '));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('X1 uses the tags of a page: headings, lists in another order than drawn, paragraphs', async () => {
    const text = await read(
      hebrewPdf([
        { text: 'יומן הנמל', right: 550, y: 600, tag: 'H1' },
        { text: 'נמל ועיר', right: 550, y: 740, tag: 'H2' },
        { text: 'המנוף שומן בכל בוקר.', right: 550, y: 700, tag: 'P' },
      ]),
    );
    expect(text).toBe('# יומן הנמל\n\n## נמל ועיר\n\nהמנוף שומן בכל בוקר.');
  });

  it('X1 numbers a list whose markers are on the right', async () => {
    expect(await read(hebrewPdf(below(['1. לפתוח', '2. לסגור', '3. לחכות'], 550)))).toBe(
      '1. לפתוח\n2. לסגור\n3. לחכות',
    );
  });

  it('X1 reads columns of a table from the right, with signs before their numbers', async () => {
    const rows = [
      ['נמל', 'עומק', 'מחיר'],
      ['צפון', '7', '-640'],
      ['דרום', '12', '95.50'],
      ['מזרח', '3', '-8'],
    ];
    const cells = rows.flatMap((row, at) =>
      row.map((text, column) => ({ text, right: 550 - column * 120, y: 700 - at * 14 })),
    );
    expect(await read(hebrewPdf(cells))).toBe(
      '| נמל | עומק | מחיר |\n| --- | --- | --- |\n| צפון | 7 | -640 |\n| דרום | 12 | 95.50 |\n| מזרח | 3 | -8 |',
    );
  });

  it.each(['seen', 'typed'] as const)(
    'X1 keeps the sides of brackets where a file has those that were %s',
    async (brackets) => {
      const line = 'הנמל (צפון) נסגר (שוב).';
      expect(await read(hebrewPdf(below([line], 550), { brackets }))).toBe(line);
    },
  );

  it.each([
    'נא לשלם 640 עד 9.6.2026 בשעה 12:30 לחשבון 09-1234567.',
    'השטח גדל מן 3/4 אל 1,250.75 וגם 50% ממנו.',
    'הספינה blue heron באה אל הנמל.',
    'בין 5-9 ימים',
  ])('X1 keeps numbers and words from left to right within a line: %s', async (line) => {
    expect(await read(hebrewPdf(below([line], 550)))).toBe(line);
  });

  it('X1 reads struck words and exponents', async () => {
    const pdf = hebrewPdf(
      [
        { text: 'המחיר היה', right: 550, y: 700 },
        { text: '700', right: 490, y: 700 },
        { text: 'והשטח', right: 466, y: 700 },
        { text: '10', right: 424, y: 700 },
        { text: '5', right: 428, y: 704, size: 6 },
      ],
      { rules: '0.6 w 472 703 m 490 703 l S' },
    );
    expect(await read(pdf)).toBe('המחיר היה ~~700~~ והשטח 10⁵');
  });
});

describe('inReadingDirection', () => {
  it.each([
    [['EUR', ' ', '640', ' ', 'םלשל'], '640 EUR'],
    [['DE12', ' ', '3456', ' ', 'ןובשח'], 'DE12 3456'],
    [['95.50', '-', ' ', 'ריחמ'], '-95.50'],
    [['-', '7', ' ', 'תולעמ'], '-7'],
    [['09', '-', '06', '-', '2026', ' ', 'لبق'], '2026-06-09'],
    [['09', '-', '1234567', ' ', 'ןופלט'], '09-1234567'],
    [['640', '$', ' ', 'غلبم'], '$640'],
    [['$', '640', ' ', 'םוכס'], '$640'],
    [['%', '50', ' ', 'خصم'], '50%'],
    [['50', '%', ' ', 'החנה'], '50%'],
  ])('X1 reads %j before the letters that run to the left', (texts, number) => {
    expect(inReadingDirection(texts, true)).toBe(`${texts.at(-1)} ${number}`);
  });

  it('X1 reads words to the left within a line to the right', () => {
    expect(
      inReadingDirection(['the word', ' ', 'עולם', ' ', 'שלום', ' ', 'means', ' ', '(', 'גדול', ')'], false),
    ).toBe('the word שלום עולם means (גדול)');
  });
});

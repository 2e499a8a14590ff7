import { pagesMarkdown } from './markdown.js';
import type { DrawnPage, DrawnPiece } from './page.js';
import { withoutPageMarks } from '../left-out.js';

type Line = [
  text: string,
  options?: { x?: number; size?: number; gap?: number; width?: number; y?: number; bold?: boolean },
];

/** A page of lines below each other, 14 points apart and as wide as their words. */
function page(lines: Line[]): DrawnPage {
  let y = 760;
  const pieces = lines.map(
    ([text, { x = 72, size = 10, gap = 14, width, y: at, bold = false } = {}]): DrawnPiece => {
      y -= gap;
      return { text, x, y: at ?? y, size, width: width ?? text.length * size * 0.5, degrees: 0, bold };
    },
  );
  return { width: 600, height: 840, pieces };
}

describe('pagesMarkdown', () => {
  it('recognizes headings by their size, and joins headings of two lines', () => {
    const one = page([
      ['The whole', { size: 24, gap: 0 }],
      ['title', { size: 24, gap: 30 }],
      ['First *part*', { size: 16, gap: 40 }],
      ['Words of the part, which', { gap: 25 }],
      ['go on here.'],
      ['Deeper', { size: 13, gap: 30 }],
      ['More words.', { gap: 20 }],
    ]);
    expect(pagesMarkdown([one])).toBe(
      '# The whole title\n\n## First \\*part\\*\n\nWords of the part, which\ngo on here.\n\n### Deeper\n\nMore words.\n',
    );
  });

  it('separates paragraphs at larger line spacing, and joins words that the file draws in pieces', () => {
    const one = page([['One line'], ['and another.'], ['A new paragraph', { gap: 22 }], ['ends.']]);
    one.pieces.push({ text: 'here', x: 72 + 48, y: 746, width: 20, size: 10, degrees: 0, bold: false });
    expect(pagesMarkdown([one])).toBe('One line here\nand another.\n\nA new paragraph\nends.\n');
  });

  it('joins hyphenated words at line ends, and keeps real hyphens', () => {
    const one = page([
      ['A database holds the data-'],
      ['base, a well-known one, and is well-'],
      ['known to what its own-'],
      ['er asks; word-for-'],
      ['word stays, as does pages 3-'],
      ['4, YYMM-'],
      ['ddh and A-'],
      ['Z. A soft sep\u00ad'],
      ['arator'],
      ['• of an item data-', { gap: 25 }],
      ['base', { x: 84 }],
    ]);
    expect(pagesMarkdown([one])).toBe(
      'A database holds the database,\na well-known one, and is well-known\nto what its owner\nasks; word-for-word\nstays, as does pages 3-\n4, YYMM-ddh\nand A-\nZ. A soft separator\n\n- of an item database\n',
    );
    const own = page([['A first-'], ['class place, first-class work, and state-'], ['wide rules.']]);
    expect(pagesMarkdown([own])).toBe('A first-class\nplace, first-class work, and state-wide\nrules.\n');
  });

  it('converts bullets and numbers to lists, nested by indentation', () => {
    const one = page([
      ['Intro words.'],
      ['• first', { gap: 20 }],
      ['goes on', { x: 84 }],
      ['◦ inner', { x: 90 }],
      ['• second'],
      ['Words between.', { gap: 25 }],
      ['7) seventh', { gap: 25 }],
      ['8) eighth'],
      ['Not of the list.'],
      ['☒ done', { gap: 25 }],
    ]);
    expect(pagesMarkdown([one])).toBe(
      'Intro words.\n\n- first\n  goes on\n  - inner\n- second\n\nWords between.\n\n7) seventh\n8) eighth\n\nNot of the list.\n\n- [x] done\n',
    );
  });

  it('reads two columns one after the other, below text that spans both', () => {
    const column = (name: string, x: number): Line[] =>
      Array.from({ length: 8 }, (_, i): Line => [`${name} ${i}`, { x, y: 600 - i * 14, width: 200 }]);
    const one = page([
      ['Over both columns', { size: 20, y: 700, width: 440 }],
      ...column('left', 72),
      ...column('right', 320),
    ]);
    const text = pagesMarkdown([one]);
    expect(text.replace(/\n/g, ' ')).toMatch(/^# Over both columns {2}left 0 .*left 7 right 0 .*right 7 $/);
  });

  it('keeps numbers that do not belong to a list', () => {
    const one = page([['2. a'], ['3. > b'], ['5. c'], ['6) d'], ['01. e', { gap: 30 }]]);
    expect(pagesMarkdown([one])).toBe('2. a\n3. \\> b\n\n5\\. c\n\n6) d\n\n01\\. e\n');
  });

  it('reads right-to-left scripts in their order', () => {
    const one = page([
      ['עולם', { x: 100, y: 700, width: 30 }],
      ['שלום', { x: 134, y: 700, width: 30 }],
    ]);
    expect(pagesMarkdown([one])).toBe('שלום עולם\n');
  });

  it('treats bold lines above other text as headings, below those in larger letters', () => {
    const one = page([
      ['Large', { size: 20 }],
      ['Words of the text, which are the most of it.', { gap: 30 }],
      ['Bold and alone', { gap: 25, bold: true }],
      ['More words of the text'],
      ['Bold at the end of a paragraph', { bold: true }],
      ['which goes on in letters as usual.'],
      ['1. bold item', { gap: 25, bold: true }],
      ['A stressed sentence, not a heading.', { gap: 25, bold: true }],
      ['Words.'],
    ]);
    expect(pagesMarkdown([one])).toBe(
      '# Large\n\nWords of the text, which are the most of it.\n\n## Bold and alone\n\nMore words of the text\nBold at the end of a paragraph\nwhich goes on in letters as usual.\n\n1. bold item\n\nA stressed sentence, not a heading.\nWords.\n',
    );
  });

  it('creates tables from words aligned in columns, with cells of several lines and empty ones', () => {
    const cell = (text: string, x: number, y: number): Line => [text, { x, y, width: text.length * 5 }];
    const one = page([
      ['Words before the table.', { y: 700 }],
      ...[cell('Name', 72, 660), cell('Count', 200, 660), cell('Note', 300, 660)],
      ...[cell('one', 72, 640), cell('1', 220, 640), cell('a note that', 300, 640)],
      cell('goes | on', 300, 626),
      ...[cell('two', 72, 606), cell('22', 215, 606)],
      ...[cell('three', 72, 586), cell('*3*', 210, 586), cell('last', 300, 586)],
      ['Words behind the table.', { y: 550 }],
    ]);
    expect(pagesMarkdown([one])).toBe(
      'Words before the table.\n\n| Name | Count | Note |\n| --- | --- | --- |\n| one | 1 | a note that goes \\| on |\n| two | 22 |  |\n| three | \\*3\\* | last |\n\nWords behind the table.\n',
    );
  });

  it('ignores two rows that are aligned by chance, and numbers before the items of a list', () => {
    const at = (text: string, x: number, y: number): Line => [text, { x, y, width: text.length * 5 }];
    const two = page([
      at('Date:', 72, 700),
      at('today', 300, 700),
      at('Place:', 72, 686),
      at('here', 300, 686),
    ]);
    expect(pagesMarkdown([two])).toBe('Date: today\nPlace: here\n');
    const contents = page(
      [1, 2, 3].flatMap((n) => [
        at(`${n}`, 72, 700 - n * 14),
        at('Chapter . . . . . . 7', 110, 700 - n * 14),
      ]),
    );
    expect(pagesMarkdown([contents])).toContain('1 Chapter . . . . . . 7\n2 Chapter');
    const list = page(
      [1, 2, 3, 4].flatMap((n) => [at(`${n}.`, 72, 700 - n * 14), at('an item', 110, 700 - n * 14)]),
    );
    expect(pagesMarkdown([list])).toBe('1. an item\n2. an item\n3. an item\n4. an item\n');
  });

  it('creates a table of two columns, in the order of its script', () => {
    const rows = Array.from({ length: 8 }, (_, i): Line[] => [
      [`row ${i}`, { x: 72, y: 600 - i * 14, width: 40 }],
      [`value ${i}`, { x: 400, y: 600 - i * 14, width: 40 }],
    ]).flat();
    expect(pagesMarkdown([page(rows)])).toContain(
      '| row 0 | value 0 |\n| --- | --- |\n| row 1 | value 1 |\n',
    );
    const toLeft = Array.from({ length: 3 }, (_, i): Line[] => [
      ['עולם', { x: 72, y: 600 - i * 14, width: 30 }],
      ['שלום', { x: 400, y: 600 - i * 14, width: 30 }],
    ]).flat();
    expect(pagesMarkdown([page(toLeft)])).toContain('| שלום | עולם |\n');
  });

  it('omits running heads and page numbers, and reports them at the beginning of pages', () => {
    const pages = Array.from({ length: 4 }, (_, i) =>
      page([
        ['Report of everything', { y: 800, size: 8 }],
        [`Words of page ${i + 1}.`, { gap: 60 }],
        [`${i + 1} / 4`, { y: 40, size: 8 }],
      ]),
    );
    const mark = (number: number) =>
      `<!-- page ${number}; left out: Report of everything | ${number} / 4 -->`;
    const words = [1, 2, 3, 4].map((number) => `Words of page ${number}.`);
    expect(pagesMarkdown(pages)).toBe(
      `${words.map((line, i) => `${mark(i + 1)}\n\n${line}`).join('\n\n')}\n`,
    );
    expect(withoutPageMarks(pagesMarkdown(pages))).toBe(`${words.join('\n\n')}\n`);
  });

  it('shows text that is all that any page has', () => {
    const pages = Array.from({ length: 3 }, () => page([['Sample', { y: 800 }]]));
    expect(pagesMarkdown(pages)).toBe('Sample\n\n<!-- page 2 -->\n\nSample\n\n<!-- page 3 -->\n\nSample\n');
  });

  it('keeps the numbers of table rows at the edge of pages, but no page number beside a chapter', () => {
    const row = (name: string, port: string, count: string): Line[] => [
      [name],
      [port, { x: 200, gap: 0 }],
      [count, { x: 400, gap: 0 }],
    ];
    const pages = [1, 2, 3, 4].map((number) =>
      page([
        [`Chapter of the ${'abcd'[number - 1]}`, { gap: 0 }],
        [`${number}`, { x: 400, gap: 0 }],
        ...[...'abcdefghijkl'].flatMap((letter) =>
          row(`${letter}${number} ship`, `of ${letter}`, `${number}`),
        ),
        ...row(
          `${'abcd'[number - 1]} boat`,
          `of ${'Hel Eke Ede Ask'.split(' ')[number - 1]}`,
          `${number}6`,
        ).map(([text, options]): Line => [text, { ...options, y: 40 }]),
      ]),
    );
    const text = pagesMarkdown(pages);
    expect(text).toContain('b boat of Eke 26');
    expect(text).toContain('<!-- page 3; left out: 3 -->');
  });

  it('reports a running head of hyphens in a valid comment', () => {
    const pages = Array.from({ length: 3 }, () =>
      page([
        ['a --> b', { y: 800 }],
        ['Words.', { gap: 60 }],
      ]),
    );
    expect(pagesMarkdown(pages)).toMatch(/^<!-- page 1; left out: a - -> b -->\n\nWords\.\n/);
  });

  it('reads a rotated page, and reads text that runs up a margin after the words of the page', () => {
    const lying = (text: string, x: number): DrawnPiece => ({
      ...{ text, x, y: 100, size: 10, width: text.length * 5, degrees: 90, bold: false },
    });
    const landscape = {
      width: 600,
      height: 840,
      pieces: [lying('One line', 300), lying('and another.', 314)],
    };
    const label = page([['Words of the page.']]);
    label.pieces.unshift(lying('In the margin', 20));
    label.pieces.push({ ...lying('Void', 60), size: 20, bold: true });
    expect(pagesMarkdown([landscape, label])).toBe(
      'One line\nand another.\n\n<!-- page 2 -->\n\nWords of the page.\n\nIn the margin\n\nVoid\n',
    );
  });

  it('keeps raised and lowered letters next to their words, and overlapping letters in the order of the file', () => {
    const at = (text: string, x: number, y: number, size: number, width = 10): DrawnPiece => ({
      ...{ text, x, y, size, width, degrees: 0, bold: false },
    });
    const pieces = [
      ...[at('note', 72, 500, 10, 20), at('1', 92, 504.2, 6, 3), at(' and H', 95, 500, 10, 25)],
      ...[at('2', 120, 497, 6, 3), at('O', 123, 500, 10, 5), at('c', 75, 486, 10, 4), at('©', 72, 486, 10)],
    ];
    expect(pagesMarkdown([{ width: 600, height: 840, pieces }])).toBe('note¹ and H₂O\nc©\n');
  });

  it('X1 keeps raised letters next to their word if others of the same height belong to none', () => {
    const at = (text: string, x: number, y: number, size: number, width = 10): DrawnPiece => ({
      ...{ text, x, y, size, width, degrees: 0, bold: false },
    });
    const words = [at('WOE', 72, 500, 10, 20), at('pos', 92, 504.2, 6, 9), at(' and more', 101, 500, 10, 45)];
    const pieces = [...words, at('0.8', 400, 504.2, 6, 9)];
    expect(pagesMarkdown([{ width: 600, height: 840, pieces }])).toContain('WOE<sup>pos</sup> and more');
  });

  it('X1 joins a word that is split between two pages, before the footnotes of the first', () => {
    const first = page([['Words of the page'], ['and an extra-'], ['1 A note.', { gap: 30, size: 7 }]]);
    const second = page([['ordinary end.'], ['The extraordinary page.']]);
    expect(pagesMarkdown([first, second])).toBe(
      'Words of the page\nand an extraordinary\n\n1 A note.\n\n<!-- page 2 -->\n\nend.\nThe extraordinary page.\n',
    );
  });

  it('keeps text that appears only once at the edge of a page', () => {
    const pages = Array.from({ length: 3 }, (_, i) => page([[`Only here ${'abc'[i]}`, { y: 800 }]]));
    expect(pagesMarkdown(pages)).toMatch(/Only here a[^]*Only here b[^]*Only here c/);
  });
});

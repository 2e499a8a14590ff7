import { takeInventory } from '#inventory/take-inventory.js';
import { taggedPdf, type Element } from '#testing/tagged-pdf.js';
import { extractText } from '../extract.js';
import { taggedLines } from './reading-order.js';
import type { Tag } from './tags.js';

const read = async (bytes: Uint8Array) => {
  const { text } = await extractText(bytes, 'a.pdf');
  expect(await takeInventory(bytes, 'a.pdf', { text, encoding: null })).toMatchObject({ lost: 0 });
  return text;
};
const row = (...cells: string[]): Element => ['TR', ...cells.map((cell): Element => ['TD', ['P', cell]])];

describe('tags of a PDF', () => {
  it('X1 determine the reading order, headings and paragraphs', async () => {
    const elements: Element[] = [
      ['H1', 'Tide tables'],
      ['P', 'Read the', ['Span', 'mark'], ['Code', 'log'], 'first.'],
      ['H2', 'Harbour'],
      ['P', 'Then the next one.'],
    ];
    const order = [6, 1, 2, 3, 4, 0, 5];
    expect(await read(taggedPdf(elements, order))).toBe(
      '# Tide tables\n\nRead the\nmark\nlog\nfirst.\n\n## Harbour\n\nThen the next one.\n',
    );
  });

  it('X1 determine nested lists, with their numbers and further paragraphs', async () => {
    const item = (mark: string, ...rest: (string | Element)[]): Element => [
      'LI',
      ['Lbl', mark],
      ['LBody', ...rest],
    ];
    const elements: Element[] = [
      [
        'L',
        item('1.', ['P', 'Open'], ['P', 'with care'], ['L', ['LI', ['LBody', 'the valve']]]),
        item('2.', 'Close'),
      ],
      ['P', 'Done.'],
    ];
    const text = await read(taggedPdf(elements));
    expect(text).toBe('1. Open\n   with care\n   - the valve\n2. Close\n\nDone.\n');
  });

  it('X1 determine the rows of tables', async () => {
    const elements: Element[] = [['Table', row('Port', 'Depth'), row('Hel', '7 m')]];
    expect(await read(taggedPdf(elements))).toBe('| Port | Depth |\n| --- | --- |\n| Hel | 7 m |\n');
  });

  it('X1 are ignored for a table with missing cells', async () => {
    const elements: Element[] = [
      ['H1', 'Depths'],
      ['Table', row('Port', 'Depth'), ['TR', ['TD', ['P', 'Hel']], ['TD']]],
    ];
    expect(await read(taggedPdf(elements))).toBe('# Depths\n\nPort\nDepth\nHel\n');
  });

  it.each([
    [
      'do not cover the page',
      [['H1', 'Small']] as Element[],
      '1 0 0 1 50 500 Tm (Much more text without a tag.) Tj',
    ],
    [
      'are lines',
      [
        ['P', 'Small steps of the'],
        ['P', 'pump are shown'],
        ['P', 'by its log.'],
      ] as Element[],
      '',
    ],
  ])('X1 are ignored if they %s', async (_, elements, untagged) => {
    const text = await read(taggedPdf(elements, undefined, untagged));
    expect(text).toContain('Small');
    expect(text).not.toMatch(/^[#|]|of the\n\n/m);
  });

  const drawn = (text: string, x: number, y: number, mark: number) => ({
    ...{ text, x, y, mark, width: text.length * 5, size: 10, bold: false },
  });
  const tag = (mark: number): Tag => ({ what: 'text', level: 0, marks: [mark] });

  it('X1 are ignored if one of them is all the text of a page', () => {
    const pieces = [
      drawn('The tide', 50, 700, 0),
      drawn('was low.', 50, 688, 0),
      drawn('It rose.', 300, 700, 0),
    ];
    expect(taggedLines(pieces, [tag(0)])).toBeNull();
  });

  it('X1 follow a paragraph to the next column', () => {
    const column = ['The tide', 'was low'].map((text, at) => drawn(text, 50, 112 - at * 12, 1));
    const next = ['and the', 'boat waited.'].map((text, at) => drawn(text, 300, 700 - at * 12, 1));
    const lines = taggedLines([drawn('Monday', 50, 700, 0), ...column, ...next], [tag(0), tag(1)]);
    expect(lines?.map(({ text }) => text)).toEqual([
      'Monday',
      'The tide',
      'was low',
      'and the',
      'boat waited.',
    ]);
  });

  it('X1 leave the cells of a row in their columns, also if they are tagged in another order', () => {
    const cell = (mark: number, row: number, column: number): Tag => ({
      ...tag(mark),
      what: 'cell',
      cell: { table: 1, row, column },
    });
    const cells = [drawn('Hel', 50, 700, 0), drawn('7 m', 300, 700, 1), drawn('mud', 150, 700, 2)];
    const next = [drawn('Ustka', 50, 688, 3), drawn('sand', 150, 688, 4)];
    const tags = [
      ...[0, 1, 2].map((at) => cell(at, 1, at)),
      ...[cell(3, 2, 0), cell(4, 2, 1), { ...cell(5, 2, 2), marks: [] }],
    ];
    const lines = taggedLines([...cells, ...next], tags);
    expect(lines?.map(({ row }) => row?.cells)).toEqual([
      ['Hel', 'mud', '7 m'],
      ['Ustka', 'sand', ''],
    ]);
  });

  it('X1 leave decoration at the end of the page', async () => {
    const decoration = '/Artifact BMC 1 0 0 1 50 760 Tm (Draft of May) Tj EMC';
    expect(await read(taggedPdf([['P', 'Words']], undefined, decoration))).toBe('Words\n\nDraft of May\n');
  });
});

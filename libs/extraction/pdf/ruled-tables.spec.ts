import fc from 'fast-check';
import { pdfFile } from '#testing/sample-files.js';
import { extractText } from '../extract.js';

const WIDTH = 110;
const HEIGHT = 30;
const TOP = 700;

interface Table {
  /** Words of each cell; null for a cell that continues the one on the left or above. */
  cells: (string | null)[][];
  columns: number[];
}

/** Draws words in cells with borders, without lines inside of spanning cells. */
function tableOperators({ cells, columns }: Table, gap = 5): string {
  const words = cells.flatMap((row, r) =>
    row.map((text, c) => `1 0 0 1 ${columns[c]! + gap} ${TOP - 20 - r * HEIGHT} Tm (${text ?? ''}) Tj`),
  );
  const lines = cells.flatMap((row, r) =>
    row.flatMap((text, c) => {
      const [left, right] = [columns[c]!, columns[c + 1]!];
      const [top, bottom] = [TOP - r * HEIGHT, TOP - (r + 1) * HEIGHT];
      const isSpanned = text === null;
      return [
        ...(isSpanned ? [] : [`${left} ${top} m ${left} ${bottom} l S`]),
        `${right} ${top} m ${right} ${bottom} l`.concat(row[c + 1] === null ? ' n' : ' S'),
        `${left} ${top} m ${right} ${top} l S ${left} ${bottom} m ${right} ${bottom} l S`,
      ];
    }),
  );
  return `/F1 9 Tf ${words.join(' ')} ET 0.5 w ${lines.join(' ')} BT /F1 9 Tf`;
}

const textOf = async (operators: string) => (await extractText(pdfFile(operators), 'a.pdf')).text;
const even = (count: number) => Array.from({ length: count + 1 }, (_, at) => 40 + at * WIDTH);

describe('tables of a PDF with borders', () => {
  it('X1 returns cells in their columns, including empty ones and cells of several lines', async () => {
    const cells = [
      ['Item', 'Count', 'Note'],
      ['Rope', '', 'worn'],
      ['Tar', '12', ''],
    ];
    const table = tableOperators({ cells, columns: even(3) });
    const more =
      '1 0 0 1 265 641 Tm (but whole) Tj 1 0 0 1 40 720 Tm (Stores of May) Tj 1 0 0 1 40 560 Tm (End.) Tj';
    expect(await textOf(`${table} ${more}`)).toBe(
      'Stores of May\n\n| Item | Count | Note |\n| --- | --- | --- |\n| Rope |  | worn but whole |\n| Tar | 12 |  |\n\nEnd.\n',
    );
  });

  it('X1 keeps a sum below its month if a cell spans others', async () => {
    const cells = [
      ['Berth', 'Dues', null],
      ['', 'May', 'June'],
      ['North', '', '640'],
    ];
    expect(await textOf(tableOperators({ cells, columns: even(3) }))).toBe(
      '| Berth | Dues |  |\n| --- | --- | --- |\n|  | May | June |\n| North |  | 640 |\n',
    );
  });

  it('X1 separates words that are close to a border on both sides', async () => {
    const cells = [
      ['Total', 'EUR'],
      ['640', 'net'],
    ];
    expect(await textOf(tableOperators({ cells, columns: [40, 65, 120] }, 1))).toBe(
      '| Total | EUR |\n| --- | --- |\n| 640 | net |\n',
    );
  });

  it('X1 returns a row for each line if a border frames several rows of numbers', async () => {
    const cells = [
      ['State', 'Long', 'Short'],
      ['Iowa', '1,204', '0'],
    ];
    const rows = [
      ['Ohio', '98', '4'],
      ['Utah', '12.5', '7'],
    ];
    const more = rows.flatMap((row, r) =>
      row.map((text, c) => `1 0 0 1 ${45 + c * WIDTH} ${TOP - 30 - 8.5 - (r + 1) * 8} Tm (${text}) Tj`),
    );
    const text = tableOperators({ cells, columns: even(3) }).replaceAll(
      `${TOP - 20 - HEIGHT} Tm`,
      `${TOP - 30 - 8.5} Tm`,
    );
    expect(await textOf(`/F1 7 Tf ${text} /F1 7 Tf ${more.join(' ')}`)).toBe(
      '| State | Long | Short |\n| --- | --- | --- |\n| Iowa | 1,204 | 0 |\n| Ohio | 98 | 4 |\n| Utah | 12.5 | 7 |\n',
    );
  });

  it('X1 does not treat a framed text as a table', async () => {
    const frame =
      'ET 40 600 300 120 re S BT /F1 9 Tf 1 0 0 1 50 700 Tm (Words in a frame) Tj 0 -14 Td (go on.) Tj';
    expect(await textOf(frame)).toBe('Words in a frame\ngo on.\n');
  });

  it('X1 keeps the cells of random tables', async () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,12}$/);
    const tables = fc
      .tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 2, max: 8 }))
      .chain(([columns, rows]) =>
        fc.array(fc.array(word, { minLength: columns, maxLength: columns }), {
          minLength: rows,
          maxLength: rows,
        }),
      );
    await fc.assert(
      fc.asyncProperty(tables, async (cells) => {
        const [head, ...body] = cells.map((row) => `| ${row.join(' | ')} |`);
        const expected = [head, `|${' --- |'.repeat(cells[0]!.length)}`, ...body].join('\n');
        expect(await textOf(tableOperators({ cells, columns: even(cells[0]!.length) }))).toBe(
          `${expected}\n`,
        );
      }),
      { numRuns: 50 },
    );
  });
});

import fc from 'fast-check';
import { extractText } from '#extraction/extract.js';
import { excelFile, odfFile, officeLinks, powerPointFile } from '#testing/office-files.js';
import { wordFile } from '#testing/sample-files.js';
import { takeInventory } from './take-inventory.js';

const main = (path: string) => ({ '_rels/.rels': officeLinks([['r1', 'officeDocument', path]]) });

/** Writes a table as a file of each kind, and reads its cells in their order. */
const KINDS: [string, (rows: string[][]) => Uint8Array][] = [
  [
    'a.docx',
    (rows) => {
      const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
      const body = rows.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('');
      return wordFile(`<w:tbl>${body}</w:tbl>`, main('word/document.xml'));
    },
  ],
  [
    'a.xlsx',
    (rows) => {
      const cell = (text: string, row: number, column: number) =>
        `<s:c r="${String.fromCharCode(65 + column)}${row + 1}" t="str"><s:v>${text}</s:v></s:c>`;
      const cells = rows.map(
        (row, at) => `<s:row>${row.map((text, x) => cell(text, at, x)).join('')}</s:row>`,
      );
      return excelFile(`<s:sheetData>${cells.join('')}</s:sheetData>`, main('xl/workbook.xml'));
    },
  ],
  [
    'a.html',
    (rows) =>
      Buffer.from(
        `<table>${rows.map((row) => `<tr>${row.map((text) => `<td>${text}</td>`).join('')}</tr>`).join('')}</table>`,
      ),
  ],
  [
    'a.odt',
    (rows) => {
      const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
      const body = rows.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`);
      return odfFile('text', `<table:table>${body.join('')}</table:table>`);
    },
  ],
  [
    'a.pptx',
    (rows) => {
      const cell = (text: string) =>
        `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
      const body = rows.map((row) => `<a:tr>${row.map(cell).join('')}</a:tr>`).join('');
      const frame = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${body}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
      return powerPointFile([frame], main('ppt/presentation.xml'));
    },
  ],
  [
    'a.rtf',
    (rows) => {
      const line = (row: string[]) =>
        `\\trowd${row.map((_, at) => `\\cellx${at + 1}000`).join('')} ${row.map((text) => `\\pard\\intbl ${text}\\cell`).join(' ')}\\row`;
      return Buffer.from(`{\\rtf1\\ansi ${rows.map(line).join('\n')}\\pard\\par}`);
    },
  ],
];

const words = fc.stringMatching(/^[a-e]{1,3}[0-9]{0,2}( [a-e]{1,2})?$/);
const table = fc
  .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 2, max: 6 }))
  .chain(([width, height]) =>
    fc.array(fc.array(words, { minLength: width, maxLength: width }), {
      minLength: height,
      maxLength: height,
    }),
  );

describe.each(KINDS)('the order of cells in %s', (name, write) => {
  it('X1 is noticed if it differs, and only then', async () => {
    let exchanged = 0;
    await fc.assert(
      fc.asyncProperty(table, fc.nat(), fc.nat(), async (cells, pick, column) => {
        // Each row has a word of its own, such as a name.
        const rows = cells.map((row, at) => [`row${at}`, ...row]);
        const bytes = write(rows);
        const { text } = await extractText(bytes, name);
        expect(await takeInventory(bytes, name, { text, encoding: null })).toMatchObject({ lost: 0 });
        const own = rows[pick % rows.length]!;
        const [one, other] = [column % own.length, (column + 1) % own.length];
        fc.pre(own[one] !== own[other]);
        const changed = own.with(one, own[other]!).with(other, own[one]!);
        const lines = (row: string[]) => `| ${row.join(' | ')} |`;
        expect(text).toContain(lines(own));
        const { lost, entries } = await takeInventory(bytes, name, {
          text: text.replace(lines(own), lines(changed)),
          encoding: null,
        });
        // Words that only move from one cell to the next one keep their order.
        fc.pre(own.join(' ') !== changed.join(' '));
        expect(lost).toBe(own.length);
        expect(entries[0]).toMatchObject({
          reason: 'cells in another order than in the file',
          reason_phrase: { code: 'uncarried.cell_order' },
        });
        exchanged++;
      }),
      { numRuns: 20 },
    );
    expect(exchanged).toBe(20);
  });
});

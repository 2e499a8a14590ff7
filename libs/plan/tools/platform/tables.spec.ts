import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipFile, excelFile, officePart } from '#testing/office-files.js';
import { ToolCallError } from '../tool.js';
import type { ToolPorts } from '../ports.js';
import { tableOfFile, type TableOptions } from './table-file.js';
import { writeFile } from './write-file.js';
import { writeWorkbook } from './workbook.js';

const read = (name: string, bytes: Uint8Array | string, options: TableOptions = {}) =>
  tableOfFile(Buffer.from(bytes), name, options);
const codeOf = (table: Promise<unknown>) =>
  table.then(
    () => 'read',
    (error: unknown) => (error instanceof ToolCallError ? error.code : String(error)),
  );

/** Returns the bytes that `write_file` stores. */
async function written(args: Record<string, unknown>): Promise<Uint8Array> {
  let bytes: Uint8Array = Buffer.from('');
  const ports = {
    keepFile: (file: { bytes: Uint8Array }) => {
      bytes = file.bytes;
      return Promise.resolve({ exportId: 'x' });
    },
    makeWorkbook: writeWorkbook,
  };
  await writeFile.call(args, ports as unknown as ToolPorts);
  return bytes;
}

const ods = (table: string) =>
  zipFile({
    'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>${table}</office:spreadsheet></office:body></office:document-content>`,
  });

describe('read_table', () => {
  it('P12 guesses encoding, separator and decimal mark of a CSV, and says so', async () => {
    const csv = 'Straße;Betrag;PLZ\r\nHüfte;1.250,50;01067\r\nWäldchen;980,00;10115\r\nÖd;1.500;04103\r\n';
    const table = await read('a.csv', iconv.encode(csv, 'windows-1252'), { encoding: 'windows-1252' });
    expect(table.rows).toEqual([
      { Straße: 'Hüfte', Betrag: 1250.5, PLZ: '01067' },
      { Straße: 'Wäldchen', Betrag: 980, PLZ: '10115' },
      { Straße: 'Öd', Betrag: 1500, PLZ: '04103' },
    ]);
    expect(table.read_as).toMatchObject({
      encoding: 'windows-1252',
      delimiter: ';',
      decimal: ',',
      header_row: 1,
    });
    expect((await read('b.csv', 'a,b\n"1,234","1,5"\n')).rows).toEqual([{ a: 1.234, b: 1.5 }]);
  });

  it('P12 keeps numbers that can be read in two ways as texts unless the decimal mark is given', async () => {
    expect((await read('a.csv', 'a;b\n1,234;x\n')).rows).toEqual([{ a: '1,234', b: 'x' }]);
    expect((await read('a.csv', 'a;b\n1,234;x\n', { decimal: '.' })).rows).toEqual([{ a: 1234, b: 'x' }]);
    expect((await read('a.csv', 'a;b\n1,234;x\n', { decimal: ',' })).rows).toEqual([{ a: 1.234, b: 'x' }]);
    // A unit, or digits that JSON would round, stay.
    const kept = 'a;b\n12 kg;12345678901234567890\n9 kg;1\n';
    expect((await read('a.csv', kept)).rows[0]).toEqual({ a: '12 kg', b: '12345678901234567890' });
  });

  it('P12 reads values of an Excel sheet, not their display, below a title', async () => {
    const number = (reference: string, value: string, style: number) =>
      `<s:c r="${reference}" s="${style}"><s:v>${value}</s:v></s:c>`;
    const text = (reference: string, value: string) =>
      `<s:c r="${reference}" t="str"><s:v>${value}</s:v></s:c>`;
    const codes = ['0.0%', 'dd.mm.yyyy', 'hh:mm', '#,##0'];
    const sheet = `<s:sheetData><s:row r="1">${text('B1', 'Report 2026')}</s:row><s:row r="3">${text('B3', 'share')}${text('C3', 'day')}${text('D3', 'time')}${text('E3', 'sum')}</s:row><s:row r="4" hidden="1">${number('B4', '0.256', 1)}${number('C4', '45000', 2)}${number('D4', '0.5', 3)}${number('E4', '1234.56', 4)}</s:row><s:row r="6">${number('B6', '0.30000000000000004', 1)}<s:c r="C6" t="b"><s:v>1</s:v></s:c></s:row></s:sheetData>`;
    const styles = officePart(
      's:styleSheet',
      `<s:numFmts>${codes.map((code, index) => `<s:numFmt numFmtId="${200 + index}" formatCode="${code}"/>`).join('')}</s:numFmts><s:cellXfs><s:xf numFmtId="0"/>${codes.map((_, index) => `<s:xf numFmtId="${200 + index}"/>`).join('')}</s:cellXfs>`,
    );
    const file = excelFile(sheet, { 'xl/styles.xml': styles });
    const table = await read('a.xlsx', file);
    expect(table.rows).toEqual([
      { share: 0.256, day: '2023-03-15', time: '12:00:00', sum: 1234.56 },
      { share: 0.3, day: true, time: null, sum: null },
    ]);
    expect(table.read_as).toMatchObject({ sheet: 'One', sheets: ['One'], header_row: 3, hidden_values: 4 });
    expect((await read('a.xlsx', file, { range: 'B4:C4', header_row: 0 })).rows).toEqual([
      { column_2: 0.256, column_3: '2023-03-15' },
    ]);
    expect(await codeOf(read('a.xlsx', file, { sheet: 'Two' }))).toBe('not_found');
    expect(await codeOf(read('a.xlsx', file, { range: 'C4:B3' }))).toBe('invalid_arguments');
    expect(await codeOf(read('a.xlsx', 'PK no archive'))).toBe('invalid_input');
  });

  it('P12 reads OpenDocument sheets with repeated cells and notes', async () => {
    const cell = (value: string) =>
      `<table:table-cell office:value-type="string"><office:annotation><text:p>note</text:p></office:annotation><text:p>${value}</text:p></table:table-cell>`;
    const sheet = `<table:table table:name="Eins"><table:table-row>${cell('a')}${cell('b')}${cell('c')}</table:table-row><table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="float" office:value="1.5" table:number-columns-repeated="2"><text:p>1,50</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="2026-02-01"/></table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table><table:table table:name="Zwei"/>`;
    const table = await read('a.ods', ods(sheet));
    const row = { a: 1.5, b: 1.5, c: '2026-02-01' };
    expect(table).toMatchObject({ rows: [row, row], read_as: { sheet: 'Eins', sheets: ['Eins', 'Zwei'] } });
    expect((await read('a.ods', ods(sheet), { sheet: 'Zwei' })).rows).toEqual([]);
  });

  it('P12 reads JSON, JSON lines and Parquet', async () => {
    expect((await read('a.json', '[{"a":1},{"b":[2]}]')).columns).toEqual(['a', 'b']);
    const named = '{"meta":{"n":1},"orders":[{"a":1}],"returns":[{"a":2}]}';
    expect((await read('a.json', named)).read_as).toMatchObject({
      sheet: 'orders',
      sheets: ['orders', 'returns'],
    });
    expect((await read('a.json', named, { sheet: 'returns' })).rows).toEqual([{ a: 2 }]);
    expect((await read('a.jsonl', '{"a":1}\n\n{"a":2}\n')).rows).toHaveLength(2);
    expect(await codeOf(read('a.json', '{"a":1'))).toBe('invalid_input');
    expect(await codeOf(read('a.json', '{"a":1}'))).toBe('not_found');
    const path = join(mkdtempSync(join(tmpdir(), 'parquet-')), 'a.parquet');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(
      `COPY (SELECT 1.50::DECIMAL(5,2) AS price, DATE '2026-02-01' AS day, 9007199254740993::BIGINT AS big, 'x' AS name) TO '${path}' (FORMAT parquet)`,
    );
    connection.closeSync();
    expect((await read('a.parquet', readFileSync(path))).rows).toEqual([
      { price: 1.5, day: '2026-02-01', big: '9007199254740993', name: 'x' },
    ]);
    expect(await codeOf(read('a.parquet', 'PAR1 no parquet'))).toBe('invalid_sql');
    expect(await codeOf(read('a.docx', 'x'))).toBe('invalid_input');
  });
});

describe('write_file of tables', () => {
  it('P12 writes CSV in a locale and an encoding, or says what the encoding lacks', async () => {
    const rows = [{ Ort: 'Köln; Süd', Betrag: 1250.5 }];
    const csv = await written({ name: 'a.csv', content: rows, locale: 'de-DE', encoding: 'windows-1252' });
    expect(iconv.decode(Buffer.from(csv), 'windows-1252')).toBe('Ort;Betrag\r\n"Köln; Süd";1250,5\r\n');
    const bom = await written({ name: 'a.csv', content: rows, encoding: 'utf-8-bom' });
    expect(Buffer.from(bom).toString()).toBe('\uFEFFOrt,Betrag\r\nKöln; Süd,1250.5\r\n');
    const polish = written({ name: 'a.csv', content: [{ a: 'Łódź' }], encoding: 'windows-1252' });
    expect(await codeOf(polish)).toBe('not_encodable');
    expect(await codeOf(written({ name: 'a.csv', content: rows, encoding: 'ebcdic-x' }))).toBe(
      'not_encodable',
    );
    expect(await codeOf(written({ name: 'a.csv', content: rows, locale: 'de_' }))).toBe('invalid_arguments');
  });

  it('P12 writes Excel files with typed cells and a sheet for each table', async () => {
    const content = { 'Q1/2026': [{ day: '2026-02-01', sum: 1.5, text: '=1+1', ok: true }], Empty: [] };
    const file = await written({ name: 'a.xlsx', content });
    const table = await read('a.xlsx', file);
    expect(table.read_as.sheets).toEqual(['Q1 2026', 'Empty']);
    expect(table.rows).toEqual([{ day: '2026-02-01', sum: 1.5, text: '=1+1', ok: true }]);
  });

  it('P12 X1 reads the rows that it wrote, as CSV of any locale and as Excel', async () => {
    const cell = fc.oneof(
      fc
        .double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
        .map((n) => Number(n.toFixed(3)) + 0),
      fc.constant(null),
    );
    const rows = fc.array(fc.record({ a: cell, b: cell, name: fc.stringMatching(/^[a-zäöüß;,"]{1,8}x$/) }), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('de-DE', 'en-US', 'pl-PL', 'de-CH'), async (content, locale) => {
        const decimal = new Intl.NumberFormat(locale).format(0.5).includes(',') ? ',' : '.';
        const csv = await written({ name: 'a.csv', content, locale });
        const { rows: fromCsv } = await read('a.csv', csv, {
          decimal,
          delimiter: decimal === ',' ? ';' : ',',
        });
        const full = (all: readonly Record<string, unknown>[]) =>
          all.map(({ a, b, name }) => ({ a: a || null, b: b || null, name }));
        expect(full(fromCsv)).toEqual(full(content));
        const { rows: fromExcel } = await read('a.xlsx', await written({ name: 'a.xlsx', content }), {
          header_row: 1,
        });
        expect(full(fromExcel)).toEqual(full(content));
      }),
      { numRuns: 40 },
    );
  });

  it('P12 fails for a CSV with too many rows instead of leaving some out', async () => {
    const csv = `a\n${'\n'.repeat(1_000)}${'1\n'.repeat(400_001)}`;
    expect(await codeOf(read('a.csv', csv, { range: 'A300000' }))).toBe('too_large');
    const some = await read('a.csv', csv, { range: 'A1002:A1011', header_row: 0 });
    expect(some.rows).toHaveLength(10);
  });

  it('P12 counts the blank lines of a CSV as rows', async () => {
    const csv = 'title\n\nname,fee\n\nann,1\nbob,2\n';
    const rows = [
      { name: 'ann', fee: 1 },
      { name: 'bob', fee: 2 },
    ];
    expect((await read('a.csv', csv, { header_row: 3 })).rows).toEqual(rows);
    expect((await read('a.csv', csv, { range: 'A3:B6' })).rows).toEqual(rows);
    const guessed = await read('a.csv', '\n\nname,fee\nann,1\nbob,2\n');
    expect([guessed.rows, guessed.read_as.header_row]).toEqual([rows, 3]);
  });

  it('P12 writes sheets whose cut names differ in more than their case', async () => {
    const name = 'A name of a sheet that is much too long';
    const tables = {
      [`${name} 1`]: [{ a: 1 }],
      [`${name} 2`.toLowerCase()]: [{ a: 2 }],
      'x/y': [],
      'x:y': [],
    };
    const { read_as: readAs } = await read('a.xlsx', await writeWorkbook(tables));
    const sheets = readAs.sheets!.map((sheet) => sheet.toLowerCase());
    expect(new Set(sheets).size).toBe(4);
    expect(sheets.every((sheet) => sheet.length <= 31)).toBe(true);
  });
});

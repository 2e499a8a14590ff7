import { csvCell } from '#contracts/usage-csv.js';
import { isObject } from '#contracts/lenient.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { tableLines } from '#extraction/table.js';
import { escapeInline } from '#markdown/escape.js';
import { encodeText } from '#extraction/encoding.js';
import { baseName, normalizeSourceName } from '#contracts/source-name.js';
import { z } from 'zod';
import type { ToolPorts } from '../ports.js';
import { defineTool, ToolCallError } from '../tool.js';
import { isTable, readTable, TAKES_TABLE } from './record.js';
import { MAX_RESULT_LENGTH } from '../stored-result.js';

const TEXTS = ['md', 'txt', 'svg'] as const;
const CONVERTED = ['docx', 'pdf', 'epub'] as const;
const formats = [...TEXTS, 'csv', 'xlsx', 'json', ...CONVERTED] as const;
type Format = (typeof formats)[number];

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Write a file that the user can download: markdown, text, CSV, Excel, JSON, an SVG picture, or a Word, PDF or EPUB document made from markdown. Its pictures, as in ![caption](chart.svg), are input files or files of earlier tasks.',
  input: z.object({
    name: z
      .string()
      .min(1)
      .max(200)
      .describe(`name of the file; its extension is the format: ${formats.join(', ')}`),
    content: z
      .unknown()
      .meta({ [TAKES_TABLE]: true })
      .describe(
        'text for txt and svg; rows for csv and xlsx, for xlsx also {"sheet name": rows}; any value for json; markdown for md, docx, pdf and epub, or rows, which become a table',
      ),
    title: z.string().min(1).max(200).optional().describe('title of a docx, pdf or epub'),
    locale: z
      .string()
      .max(35)
      .refine(isLocale, { message: 'is not a language tag' })
      .optional()
      .describe(
        'language whose decimal mark the numbers of a table have, such as de-DE; with a comma, ; separates the cells of a csv',
      ),
    encoding: z
      .string()
      .max(40)
      .optional()
      .describe('encoding of a md, txt or csv file (default: utf-8); utf-8-bom opens in Excel'),
  }),
  output: z.object({
    export_id: z.string().describe('ID of the download'),
    name: z.string(),
    format: z.enum(formats),
    bytes: z.number().int(),
  }),
  timeoutMs: 300_000,
  cost: 2,
  async run({ name: given, content, ...options }, ports: ToolPorts) {
    const { name, format } = checkedName(given);
    const bytes = await bytesOf(format, content, options, ports);
    const { exportId } = await ports.keepFile({ name, format, bytes });
    return { export_id: exportId, name, format, bytes: bytes.length };
  },
});

/** Returns why a file cannot have a name; null if it can. */
export function problemOfName(name: string): string | null {
  try {
    checkedName(name);
    return null;
  } catch (error) {
    return (error as ToolCallError).message;
  }
}

/** @throws ToolCallError `invalid_name` */
function checkedName(given: string): { name: string; format: Format } {
  const { name, problem } = normalizeSourceName(given);
  if (problem !== undefined)
    throw new ToolCallError('invalid_name', phrase('tool_error.file_name', { problem }));
  if (baseName(name) !== name) throw new ToolCallError('invalid_name', phrase('tool_error.file_folder'));
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const format = formats.find((each) => each === extension && name.length > each.length + 1);
  if (!format)
    throw new ToolCallError(
      'invalid_name',
      phrase('tool_error.file_extension', { extensions: `.${formats.join(', .')}` }),
    );
  return { name, format };
}

async function bytesOf(
  format: Format,
  content: unknown,
  { title, locale, encoding = 'utf-8' }: WriteOptions,
  ports: ToolPorts,
): Promise<Uint8Array> {
  switch (format) {
    case 'xlsx':
      return ports.makeWorkbook(sheetsOf(content));
    case 'json':
      return encoded(
        `${JSON.stringify(isTable(content) ? readTable(content).rows : (content ?? null), null, 2)}\n`,
      );
    case 'csv':
      return encoded(csvOf(tableIn(content), locale), encoding);
    case 'docx':
    case 'pdf':
    case 'epub':
      return ports.convert(markdownOf(format, content, locale), format, title ?? null);
    case 'md':
      return encoded(markdownOf(format, content, locale), encoding);
    default:
      return encoded(textOf(format, content), format === 'svg' ? 'utf-8' : encoding);
  }
}

interface WriteOptions {
  title?: string | undefined;
  locale?: string | undefined;
  encoding?: string | undefined;
}

/** @throws ToolCallError if the text is too long, or has a character that the encoding lacks */
function encoded(text: string, encoding = 'utf-8'): Uint8Array {
  if (text.length > MAX_RESULT_LENGTH)
    throw new ToolCallError('too_large', phrase('tool_error.file_too_large', { max: 64 }));
  const bytes = encodeText(text, encoding);
  if (bytes) return bytes;
  throw new ToolCallError('not_encodable', phrase('tool_error.not_encodable', { encoding }));
}

function textOf(format: Format, content: unknown): string {
  if (typeof content === 'string' && content !== '') return content;
  throw new ToolCallError('invalid_arguments', phrase('tool_error.file_content', { format }));
}

/** Returns a text, or rows as a table. */
function markdownOf(format: Format, content: unknown, locale: string | undefined): string {
  if (!isTable(content) || readTable(content).columns === null) return textOf(format, content);
  const cells = cellsOf(content, numbersIn(locale)).map((row) => row.map(escapeInline));
  return `${tableLines(cells).join('\n')}\n`;
}

type Table = Parameters<typeof readTable>[0];

/** @throws ToolCallError unless the content is a table */
function tableIn(content: unknown): Table {
  // JSONata returns one hit without a list, and nothing for none.
  const table = isTable(content) ? content : [content ?? []].flat();
  if (isTable(table)) return table;
  throw new ToolCallError('invalid_arguments', phrase('tool_error.csv_content'));
}

/** Returns the tables of a workbook by the names of their sheets. */
function sheetsOf(content: unknown): Record<string, Table> {
  const isSheets = isObject(content) && !isTable(content) && Object.values(content).every(Array.isArray);
  if (!isSheets || Object.keys(content).length === 0) return { 'Sheet 1': tableIn(content) };
  return Object.fromEntries(Object.entries(content).map(([name, rows]) => [name, tableIn(rows)]));
}

/**
 * Returns rows as CSV (RFC 4180), with a line of column names.
 *
 * @param locale by default, numbers have a point, and commas separate
 */
function csvOf(table: Table, locale: string | undefined): string {
  const numbers = numbersIn(locale);
  const separator = numbers?.format(0.5).includes(',') ? ';' : ',';
  return cellsOf(table, numbers)
    .map((cells) => `${cells.map((cell) => csvCell(cell, separator)).join(separator)}\r\n`)
    .join('');
}

const numbersIn = (locale: string | undefined): Intl.NumberFormat | null =>
  locale === undefined ? null : new Intl.NumberFormat(locale, PLAIN_NUMBERS);

/** Returns the names of the columns and the cells of each row; lists and objects become JSON. */
function cellsOf(table: Table, numbers: Intl.NumberFormat | null): string[][] {
  const { rows, columns } = readTable(table);
  if (columns === null) return [];
  const cellOf = (value: unknown): string => {
    if (value === undefined || value === null) return '';
    if (typeof value === 'number') return numbers ? numbers.format(value) : String(value);
    return typeof value === 'object' ? JSON.stringify(value) : String(value as string | boolean);
  };
  return [columns, ...rows.map((row) => columns.map((column) => cellOf(row[column])))];
}

/** Latin digits, because programs read them. */
const PLAIN_NUMBERS = { useGrouping: false, maximumFractionDigits: 20, numberingSystem: 'latn' } as const;

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

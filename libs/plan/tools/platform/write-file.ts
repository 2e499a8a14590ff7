import { csvCell } from '#contracts/csv-cell.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { baseName, normalizeSourceName } from '#contracts/source-name.js';
import { z } from 'zod';
import type { ToolPorts } from '../ports.js';
import { defineTool, ToolCallError } from '../tool.js';
import { isTable, readTable, TAKES_TABLE } from './record.js';
import { MAX_RESULT_LENGTH } from '../stored-result.js';

const TEXTS = ['md', 'txt', 'svg'] as const;
const CONVERTED = ['docx', 'pdf', 'epub'] as const;
const formats = [...TEXTS, 'csv', 'json', ...CONVERTED] as const;
type Format = (typeof formats)[number];

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Write a file that the user can download: markdown, text, CSV, JSON, an SVG picture, or a Word, PDF or EPUB document made from markdown. Its pictures, as in ![caption](chart.svg), are input files or files of earlier tasks.',
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
        'text for md, txt and svg; rows for csv; any value for json; markdown for docx, pdf and epub',
      ),
    title: z.string().min(1).max(200).optional().describe('title of a docx, pdf or epub'),
  }),
  output: z.object({
    export_id: z.string().describe('ID of the download'),
    name: z.string(),
    format: z.enum(formats),
    bytes: z.number().int(),
  }),
  timeoutMs: 300_000,
  cost: 2,
  async run({ name: given, content, title }, ports: ToolPorts) {
    const { name, format } = checkedName(given);
    const bytes = await bytesOf(format, content, title ?? null, ports);
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
  title: string | null,
  ports: ToolPorts,
): Promise<Uint8Array> {
  switch (format) {
    case 'json':
      return encoded(
        `${JSON.stringify(isTable(content) ? readTable(content).rows : (content ?? null), null, 2)}\n`,
      );
    case 'csv':
      return encoded(csvOf(content));
    case 'docx':
    case 'pdf':
    case 'epub':
      return ports.convert(textOf(format, content), format, title);
    default:
      return encoded(textOf(format, content));
  }
}

function encoded(text: string): Uint8Array {
  if (text.length > MAX_RESULT_LENGTH)
    throw new ToolCallError('too_large', phrase('tool_error.file_too_large', { max: 64 }));
  return Buffer.from(text);
}

function textOf(format: Format, content: unknown): string {
  if (typeof content === 'string' && content !== '') return content;
  throw new ToolCallError('invalid_arguments', phrase('tool_error.file_content', { format }));
}

/** Returns rows as CSV (RFC 4180), with a line of column names; lists and objects become JSON. */
function csvOf(content: unknown): string {
  // JSONata returns one hit without a list, and nothing for none.
  const table = isTable(content) ? content : [content ?? []].flat();
  if (!isTable(table)) throw new ToolCallError('invalid_arguments', phrase('tool_error.csv_content'));
  const { rows, columns } = readTable(table);
  if (columns === null) return '';
  const lines = rows.map((row) => columns.map((column) => cellOf(row[column])));
  return [columns.map(cellOf), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
  return csvCell(text);
}

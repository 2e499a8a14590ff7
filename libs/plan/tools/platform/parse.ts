import { parse as parseCsvText } from 'csv-parse/sync';
import { parseYaml } from '#markdown/yaml.js';
import { z } from 'zod';
import { defineTool, ToolCallError } from '../tool.js';
import { recordOf } from './record.js';
import { parseXml } from './xml.js';

const rowOfTexts = recordOf({
  schema: { type: 'string' },
  isValue: (value): value is string => typeof value === 'string',
});

const MAX_ROWS = 200_000;
/** Maximum number of alias expansions in YAML. */
const MAX_ALIASES = 100;

const text = z.string().max(32_000_000).describe('the text to parse');

/** Converts a parser's error into a ToolCallError for the caller. */
function attempt<T>(format: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    throw new ToolCallError('invalid_input', `The text is not valid ${format}: ${reason.slice(0, 300)}`);
  }
}

export const parseCsv = defineTool({
  name: 'parse_csv',
  description: 'Parse CSV or TSV text into rows; the first line names the columns unless told otherwise.',
  input: z.object({
    text,
    delimiter: z
      .enum([',', ';', '\t', '|'])
      .optional()
      .describe('separator of the values (default: detected)'),
    header: z.boolean().optional().describe('whether the first line names the columns (true)'),
  }),
  output: z.object({
    columns: z.array(z.string()).describe('names of the columns'),
    rows: z.array(rowOfTexts).describe('rows of the table'),
  }),
  run({ text: csv, delimiter, header = true }) {
    const lines = attempt('CSV', () =>
      parseCsvText(csv, {
        delimiter: delimiter ?? likelyDelimiter(csv),
        bom: true,
        relax_column_count: true,
        skip_empty_lines: true,
        to: MAX_ROWS + 1,
      }),
    ) as string[][];
    if (lines.length > MAX_ROWS)
      throw new ToolCallError('too_large', `The table has more than ${MAX_ROWS} rows.`);
    const first = lines[0] ?? [];
    const columns = distinct(
      first.map((name, column) => (header && name !== '' ? name : `column_${column + 1}`)),
    );
    const rows = lines
      .slice(header ? 1 : 0)
      .map((values) => Object.fromEntries(columns.map((name, column) => [name, values[column] ?? ''])));
    return { columns, rows };
  },
});

function likelyDelimiter(csv: string): string {
  const line = csv.slice(0, 10_000).split('\n')[0]!;
  const counted = [',', ';', '\t', '|'].map((mark) => ({ mark, count: line.split(mark).length }));
  return counted.sort((a, b) => b.count - a.count)[0]!.mark;
}

/** Makes column names unique by numbering repeated names. */
function distinct(names: string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
}

export const parseJson = defineTool({
  name: 'parse_json',
  description: 'Parse JSON text, or JSON lines, into data.',
  input: z.object({ text, lines: z.boolean().optional().describe('one JSON value per line') }),
  output: z.object({ data: z.unknown().describe('parsed value') }),
  run({ text: json, lines = false }) {
    return attempt('JSON', () => ({
      data: lines
        ? json
            .split('\n')
            .filter((line) => line.trim() !== '')
            .map((line) => JSON.parse(line) as unknown)
        : (JSON.parse(json) as unknown),
    }));
  },
});

export const parseYamlTool = defineTool({
  name: 'parse_yaml',
  description: 'Parse YAML text (1.2) into data; multiple documents return a list.',
  input: z.object({ text }),
  output: z.object({ data: z.unknown().describe('parsed value') }),
  run({ text: yaml }) {
    return attempt('YAML', () => {
      const documents = parseYaml(yaml, MAX_ALIASES);
      return { data: documents.length > 1 ? documents : (documents[0] ?? null) };
    });
  },
});

export const parseXmlTool = defineTool({
  name: 'parse_xml',
  description: 'Parse XML text into a tree of elements with names, attributes, children and text.',
  input: z.object({ text }),
  output: z.object({ data: z.unknown().describe('the root element') }),
  run({ text: xml }) {
    return attempt('XML', () => ({ data: parseXml(xml) }));
  },
});

import { withoutByteOrderMark } from '#contracts/text.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { parseYaml } from '#markdown/yaml.js';
import { z } from 'zod';
import { SaxesParser } from 'saxes';
import { defineTool, ToolCallError } from '../tool.js';
import { recordOf, distinctNames } from './record.js';
import { parseExactJson } from './exact-json.js';
import { readCsv } from './read-csv.js';

const rowOfTexts = recordOf({
  schema: { type: 'string' },
  isValue: (value): value is string => typeof value === 'string',
});

/** Maximum number of alias expansions in YAML. */
const MAX_ALIASES = 100;

const text = z.string().max(32_000_000).describe('the text to parse');

export const parseCsv = defineTool({
  name: 'parse_csv',
  description:
    'Parse CSV or TSV text into rows; the first line names the columns unless told otherwise. Values stay texts; cells beyond the head get columns of their own.',
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
    const lines = attempt('CSV', () => readCsv(csv, delimiter, MAX_ROWS + 1));
    if (lines.length > MAX_ROWS)
      throw new ToolCallError('too_large', phrase('tool_error.too_many_rows', { max: MAX_ROWS }));
    const width = lines.reduce((most, { length }) => Math.max(most, length), 0);
    if (width * lines.length > MAX_CELLS)
      throw new ToolCallError('too_large', phrase('tool_error.too_many_cells', { max: MAX_CELLS }));
    const first = lines[0] ?? [];
    const columns = distinctNames(
      // A record may have more cells than the head.
      Array.from({ length: width }, (_, column) => (header && first[column]) || `column_${column + 1}`),
    );
    const rows = lines
      .slice(header ? 1 : 0)
      .map((values) => Object.fromEntries(columns.map((name, column) => [name, values[column] ?? ''])));
    return { columns, rows };
  },
});

export const parseJson = defineTool({
  name: 'parse_json',
  description:
    'Parse JSON text, or JSON lines, into data. Numbers that would lose digits, such as 9007199254740995 or 1.10, become texts.',
  input: z.object({ text, lines: z.boolean().optional().describe('one JSON value per line') }),
  output: z.object({ data: z.unknown().describe('parsed value') }),
  run({ text: json, lines = false }) {
    return attempt('JSON', () => ({
      data: lines
        ? json.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [parseLine(line, index + 1)]))
        : parseExactJson(withoutByteOrderMark(json)),
    }));
  },
});

/** Parses one line of JSON lines; errors name the line. */
function parseLine(line: string, number: number): unknown {
  try {
    return parseExactJson(withoutByteOrderMark(line));
  } catch (error) {
    throw new Error(`line ${number}: ${(error as Error).message}`);
  }
}

export const parseYamlTool = defineTool({
  name: 'parse_yaml',
  description:
    'Parse YAML text (1.2) into data; several documents give a list. Numbers that would lose digits, such as 1.10 or 007, become texts.',
  input: z.object({ text }),
  output: z.object({ data: z.unknown().describe('parsed value') }),
  run({ text: yaml }) {
    return attempt('YAML', () => {
      const documents = parseYaml(yaml, MAX_ALIASES, { isExact: true });
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

/** An element of an XML document. */
interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  /** The element's text, except text in its children and text of white space only. */
  text: string;
  children: XmlElement[];
}

const MAX_DEPTH = 200;

/**
 * Parses XML. Entities that a document declares are not supported, so none can be expanded, and nothing is
 * fetched.
 *
 * @throws Error if the text is not well-formed or elements are nested deeper than 200 levels
 */
export function parseXml(xml: string): XmlElement {
  const parser = new SaxesParser();
  const open: XmlElement[] = [];
  let root: XmlElement | null = null;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = { name, attributes: { ...attributes }, text: '', children: [] };
    if (open.length >= MAX_DEPTH) throw new Error(`elements are nested deeper than ${MAX_DEPTH}`);
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element && text.trim() !== '') element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  if (root === null) throw new Error('no element found');
  return root;
}

/** Maximum rows and cells of a table that a tool reads. */
export const MAX_ROWS = 200_000;
export const MAX_CELLS = 20_000_000;

/** Converts a parser's error into a ToolCallError for the caller. */
export function attempt<T>(format: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    throw new ToolCallError(
      'invalid_input',
      phrase('tool_error.invalid_text', { format, reason: reason.slice(0, 300) }),
    );
  }
}

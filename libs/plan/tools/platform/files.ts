import { fileEnding } from '#contracts/text.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { MAX_SOURCE_NAME_BYTES } from '#contracts/source-name.js';
import { z } from 'zod';
import { PICKS } from '../../contract/result-places.js';
import type { ToolPorts } from '../ports.js';
import { defineTool, ToolCallError } from '../tool.js';
import { recordOf } from './record.js';

const name = z.string().min(1).max(MAX_SOURCE_NAME_BYTES).describe('name of an input file');
/** Parameter for the name of an input file. */
export const inputName = name.meta({ [PICKS]: 'input' });

export const listInputs = defineTool({
  name: 'list_inputs',
  description: 'List the input files of the session with their names, sizes and formats.',
  input: z.object({
    format: z.string().max(20).optional().describe('only files of this format, such as xml or csv'),
  }),
  output: z.object({
    files: z.array(z.object({ name, bytes: z.number().int(), format: z.string() })).describe('the files'),
    formats: recordOf({
      schema: { type: 'integer' },
      isValue: (value): value is number => Number.isInteger(value),
    }).describe('number of files per format'),
  }),
  async run({ format }, { inputs }: ToolPorts) {
    const all = (await inputs.list()).map((file) => ({ ...file, format: formatOf(file.name) }));
    const files = format === undefined ? all : all.filter((file) => file.format === format.toLowerCase());
    // A Map, because a file extension can be "constructor", which is a property of every object.
    const formats = new Map<string, number>();
    for (const file of files) formats.set(file.format, (formats.get(file.format) ?? 0) + 1);
    return { files, formats: Object.fromEntries(formats) };
  },
});

const formatOf = (file: string): string => fileEnding(file) || 'none';

const MAX_CHARACTERS = 4_000_000;

export const readInput = defineTool({
  name: 'read_input',
  description:
    'Read the text of an input file, or a part of it. The text of a Word document, a PDF, a web page, a notebook and the like is extracted as markdown.',
  input: z.object({
    name: inputName,
    offset: z.number().int().min(0).optional().describe('first character to read (0)'),
    limit: z.number().int().min(1).max(MAX_CHARACTERS).optional().describe('maximum number of characters'),
  }),
  output: z.object({
    name,
    text: z.string().describe('the text'),
    characters: z.number().int().describe('length of the whole text'),
    format: z.string().describe('extension of the name'),
  }),
  async run({ name: file, offset = 0, limit }, { inputs }: ToolPorts) {
    const text = await inputs.text(file);
    const { length: characters } = text;
    if (limit === undefined && characters - offset > MAX_CHARACTERS)
      throw new ToolCallError(
        'too_large',
        phrase('tool_error.text_too_long', { name: file, characters, max: MAX_CHARACTERS }),
      );
    const part = text.slice(offset, limit === undefined ? undefined : offset + limit);
    return { name: file, text: part, characters, format: formatOf(file) };
  },
});

/** Plans of older releases read documents with it. */
export const extractTextTool = defineTool({
  name: 'extract_text',
  description: 'Older name of read_input, for plans that have it.',
  replacedBy: 'read_input',
  input: z.object({ name: inputName }),
  output: z.object({ name, text: z.string().describe('the text as markdown'), format: z.string() }),
  cost: 2,
  run: async ({ name: file }, { inputs }: ToolPorts) => ({
    ...{ name: file, text: await inputs.text(file), format: formatOf(file) },
  }),
});

/** Plans of older releases convert with it. */
export const convertMarkdown = defineTool({
  name: 'convert_markdown',
  description: 'Older form of write_file for docx, pdf and epub.',
  replacedBy: 'write_file',
  input: z.object({
    markdown: z.string().min(1).max(32_000_000).describe('Markdown text'),
    format: z.enum(['docx', 'pdf', 'epub']).describe('format of the file'),
    title: z.string().min(1).max(200).optional().describe('title of the document'),
  }),
  output: z.object({ export_id: z.string(), name, bytes: z.number().int() }),
  timeoutMs: 300_000,
  cost: 5,
  async run({ markdown, format, title }, ports: ToolPorts) {
    const bytes = await ports.convert(markdown, format, title ?? null);
    const file = `${(title ?? 'document').replace(/[^\p{L}\p{N}._ -]+/gu, ' ').trim() || 'document'}.${format}`;
    const { exportId } = await ports.keepFile({ name: file, format, bytes });
    return { export_id: exportId, name: file, bytes: bytes.length };
  },
});

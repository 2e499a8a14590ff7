import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import { z } from 'zod';
import { outlineOf } from './source-outline.js';
import type { ToolSession } from './tool-session.js';
import { sourceNameSchema } from './validation.js';

const SCHEMAS = {
  list_files: z.object({
    folder: z.string().max(4_096).optional().describe('only files below it'),
  }),
  read_file: z.object({
    filename: sourceNameSchema,
    outline: z
      .boolean()
      .optional()
      .describe('return headings, definitions, time ranges or columns instead of text'),
    from_line: z.number().int().min(1).optional().describe('look at numbered lines from here'),
    max_lines: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('look at no more numbered lines than this'),
    cursor: z.number().int().min(0).optional().describe('read the text, unnumbered, from here'),
  }),
  read_generated_file: z.object({
    lines: z.number().int().min(1).max(2000),
    from_line: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('read numbered lines from here, not the last ones'),
  }),
};
type ReadFile = z.infer<typeof SCHEMAS.read_file>;

/** D6–D8: tools that only read. */
export function readingTools(session: ToolSession): StructuredToolInterface[] {
  const { inputs, manuscripts } = session.ports;
  return [
    tool(async ({ folder }) => JSON.stringify(filesBelow(await inputs.list(), folder)), {
      name: 'list_files',
      description: 'List the input files, or those below a folder, as a JSON array of {name, bytes}.',
      schema: SCHEMAS.list_files,
    }),
    tool(async (request) => readFile(session, request), {
      name: 'read_file',
      description:
        'Look at an input file before you place it: with outline its parts, with from_line or max_lines numbered lines, ' +
        'long ones cut. Without these, read its text to copy it: a header line, then the text. Large files come in ' +
        'pages: pass the "next cursor" of the header to read on.',
      schema: SCHEMAS.read_file,
    }),
    tool(
      async ({ lines, from_line }) => {
        if (from_line === undefined) return manuscripts.tail(session.manuscript, lines);
        const all = await manuscripts.lines(session.manuscript);
        return numberedLines('manuscript', all, from_line, lines).text;
      },
      {
        name: 'read_generated_file',
        description: 'Read the last N lines of the manuscript, or N numbered lines from a line on.',
        schema: SCHEMAS.read_generated_file,
      },
    ),
  ];
}

function filesBelow<T extends { name: string }>(files: T[], folder = ''): T[] {
  const path = folder.replace(/^\.?\/?/, '').replace(/\/$/, '');
  return path === '' ? files : files.filter(({ name }) => name.startsWith(`${path}/`));
}

async function readFile(session: ToolSession, request: ReadFile): Promise<string> {
  const { filename, outline, from_line, max_lines, cursor } = request;
  const saw = (how: string, first: number, last: number) =>
    session.seen.push({ what: `${how} ${filename}`, first, last });
  if (outline === true) {
    const found = outlineOf(filename, await session.sources.read(filename));
    saw('outline', 1, 1);
    return found;
  }
  if (from_line !== undefined || (max_lines !== undefined && cursor === undefined)) {
    const lines = await session.sources.read(filename);
    const { text, last } = numberedLines(`file "${filename}"`, lines, from_line ?? 1, max_lines);
    if (last === lines.length) session.filesRead.push(filename);
    if (last >= (from_line ?? 1)) saw('lines', from_line ?? 1, last);
    return text;
  }
  const page = await session.ports.inputs.readPage(filename, cursor ?? 0);
  if (page.next_cursor === null) session.filesRead.push(filename);
  saw('page', page.start, page.end);
  const where = `lines ${page.first_line}-${page.last_line} bytes ${page.start}-${page.end} of ${page.size}`;
  const next = page.next_cursor === null ? 'end of file' : `next cursor ${page.next_cursor}`;
  return `[file "${filename}" ${where}; ${next}]\n${page.text}`;
}

/** Lines of a look if the model names no number, and its maximum number of characters. */
const LOOK = { lines: 100, characters: 24_000, lineCharacters: 300 };

/**
 * Returns some lines of a text, each preceded by its number and cut if it is long, below a header with the total
 * number of lines.
 *
 * @param from first line, counted from 1
 * @param count maximum number of lines
 */
function numberedLines(
  title: string,
  lines: string[],
  from: number,
  count: number = LOOK.lines,
): { text: string; last: number } {
  const shown: string[] = [];
  let size = 0;
  for (const line of lines.slice(from - 1, from - 1 + count)) {
    const text = `${from + shown.length}|${line.length <= LOOK.lineCharacters ? line : `${line.slice(0, LOOK.lineCharacters)}…`}`;
    size += text.length;
    if (size > LOOK.characters && shown.length > 0) break;
    shown.push(text);
  }
  const last = from + shown.length - 1;
  const range = shown.length === 0 ? 'no lines' : `lines ${from}-${last}`;
  return { text: [`[${title} ${range} of ${lines.length}]`, ...shown].join('\n'), last };
}

import { withoutEnding } from '#contracts/text.js';
import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import { z } from 'zod';
import type { ToolSession } from './tool-session.js';
import { sourceNameSchema } from './validation.js';
import { scanText } from '#markdown/fences.js';
import { csvSeparator, parseCsv } from '#verbatim/source/csv.js';
import { sourceKind } from '../../offline/sources/kind.js';

/** Part of a source: its first line (1-based), its depth from 0, and its subject. */
interface OutlinePart {
  line: number;
  depth: number;
  text: string;
}

const MAX_PARTS = 80;
const MAX_TEXT = 120;
/** Stretches into which a log is divided. */
const LOG_STRETCHES = 20;

/** Time at the start of a log line, at most 40 characters into it. */
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?|\d\d:\d\d:\d\d/;
const ALARM = /\b(?:ERROR|FATAL|CRITICAL|SEVERE|WARN|WARNING)\b/;
const DEFINITION =
  /^[ \t]*(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|async|pub|open|override|virtual) )*(?:function|class|interface|enum|type|struct|trait|impl|fn|func|def|module|namespace|package|object|record|sub|procedure|create (?:table|view|index|function|procedure|type)|alter table|insert into)\b/i;
const SHELL_FUNCTION = /^[\w.-]{1,80}\(\) ?\{/;
const SECTION = /^\[[^\]]{1,100}\]/;
const TOP_KEY = /^(?:[\w.-]{1,80}:(?: |$)| {2}"[^"]{1,80}": )/;

/**
 * Returns an outline of a source as text, one part a line with the number of its first line: headings of prose,
 * definitions of code, time ranges of a log, columns of a table. At most 80 parts.
 */
export function outlineOf(filename: string, lines: string[]): string {
  const kind = sourceKind(filename, lines.slice(0, 2_000).join('\n'));
  const what = 'language' in kind ? kind.language : kind.kind;
  const { parts, left } = bounded(
    partsOf(kind.kind === 'code' && what === 'log' ? 'log' : kind.kind, filename, lines),
  );
  const shown = parts.map(({ line, depth, text }) => `${line}${' '.repeat(1 + 2 * depth)}${cut(text)}`);
  const more = left === 0 ? [] : [`(${left} more parts; look at the lines with from_line)`];
  return [`[outline of "${filename}": ${what}, ${lines.length} lines]`, ...shown, ...more].join('\n');
}

const cut = (text: string) => (text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`);

function partsOf(form: 'markdown' | 'notes' | 'table' | 'code' | 'log', filename: string, lines: string[]) {
  if (form === 'markdown') return headingParts(lines);
  if (form === 'notes') return paragraphParts(lines);
  if (form === 'table') return tableParts(filename, lines);
  return form === 'log' ? logParts(lines) : codeParts(lines);
}

function headingParts(lines: string[]): OutlinePart[] {
  const { outline } = scanText(`${lines.join('\n')}\n`);
  return outline.map(({ level, line, title }) => ({ line, depth: level - 1, text: title }));
}

/** The first lines of paragraphs. */
function paragraphParts(lines: string[]): OutlinePart[] {
  return lines.flatMap((text, index) => {
    const begins = text.trim() !== '' && (lines[index - 1] ?? '').trim() === '';
    return begins ? [{ line: index + 1, depth: 0, text: text.trim() }] : [];
  });
}

function tableParts(filename: string, lines: string[]): OutlinePart[] {
  const records = [...parseCsv(lines, csvSeparator(lines[0] ?? '', filename))];
  const [head, first] = records;
  const columns = { line: 1, depth: 0, text: `columns: ${head?.cells.join(', ') ?? ''}` };
  const rows = { line: first?.line ?? 1, depth: 0, text: `${Math.max(0, records.length - 1)} records` };
  return [columns, rows];
}

/**
 * Stretches of about equal length, each with its first and last time and the number of warnings and errors. Where times
 * start again, as in two logs that were joined, a stretch begins.
 */
function logParts(lines: string[]): OutlinePart[] {
  const times = lines.map((line) => TIME.exec(line.slice(0, 40))?.[0]);
  const restarts = restartsOf(times);
  const size = Math.max(1, Math.ceil(lines.length / LOG_STRETCHES));
  const count = Math.ceil(lines.length / size);
  const starts = new Set([...Array.from({ length: count }, (_, index) => index * size), ...restarts]);
  const inOrder = [...starts].sort((a, b) => a - b);
  return inOrder.map((start, index) => {
    const end = inOrder[index + 1] ?? lines.length;
    const shown = times.slice(start, end).filter((time) => time !== undefined);
    const range = shown.length === 0 ? lines[start]!.trim() : `${shown[0]} to ${shown.at(-1)}`;
    const alarms = lines.slice(start, end).filter((line) => ALARM.test(line.slice(0, 200))).length;
    const notes = [
      ...(restarts.includes(start) ? [', the times start again here'] : []),
      ...(alarms === 0 ? [] : [`, ${alarms} warnings or errors`]),
    ];
    return { line: start + 1, depth: 0, text: `${range}${notes.join('')}` };
  });
}

/** Lines of several threads may be out of order by less. */
const LEAST_STEP_BACK_MS = 60_000;

/** Returns the indexes of lines whose time is earlier than that of the line before; none if times jump all the time. */
function restartsOf(times: (string | undefined)[]): number[] {
  const restarts: number[] = [];
  let before = -Infinity;
  for (const [index, text] of times.entries()) {
    if (text === undefined) continue;
    const time = Date.parse(`${text.length === 8 ? `1970-01-01T${text}` : text.replace(' ', 'T')}Z`);
    if (before - time > LEAST_STEP_BACK_MS) restarts.push(index);
    before = time;
  }
  return restarts.length > LOG_STRETCHES ? [] : restarts;
}

function codeParts(lines: string[]): OutlinePart[] {
  return lines.flatMap((line, index) => {
    const text = line.slice(0, 200);
    const isPart = [DEFINITION, SHELL_FUNCTION, SECTION, TOP_KEY].some((pattern) => pattern.test(text));
    const indent = text.length - text.trimStart().length;
    return isPart ? [{ line: index + 1, depth: Math.min(3, Math.ceil(indent / 4)), text: text.trim() }] : [];
  });
}

/** Drops the deepest parts while too many are left, then keeps every nth of one depth. */
function bounded(parts: OutlinePart[]): { parts: OutlinePart[]; left: number } {
  const shallowest = parts.reduce((least, { depth }) => Math.min(least, depth), 5);
  let kept = parts;
  for (let depth = 5; depth > shallowest && kept.length > MAX_PARTS; depth--)
    kept = kept.filter((part) => part.depth < depth);
  const step = Math.ceil(kept.length / MAX_PARTS);
  kept = kept.filter((_, index) => index % step === 0);
  return { parts: kept, left: parts.length - kept.length };
}

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
  const path = withoutEnding(folder.replace(/^\.?\/?/, ''), '/');
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

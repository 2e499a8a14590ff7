import { singleSpaced } from '#contracts/text.js';
import { z } from 'zod';
import { phrase } from '#contracts/phrases/phrase.js';
import { ExtractionError } from '../errors.js';

const text = z
  .union([z.string(), z.array(z.string())])
  .transform((lines) => (typeof lines === 'string' ? lines : lines.join('')))
  .catch('');
const bundle = z.record(z.string(), z.unknown()).catch({});
/** Keys of formats 1 to 4; a key that is missing or of another type is empty. */
const outputSchema = z.looseObject({
  output_type: text,
  name: text,
  stream: text,
  text,
  data: bundle,
  ename: text,
  evalue: text,
  traceback: z.array(z.string()).catch([]),
});
const cellSchema = z.object({
  cell_type: text,
  level: z.number().int().min(1).max(6).catch(1),
  language: text,
  source: text,
  input: text,
  code: text,
  text,
  /** Some programs store them by their numbers. */
  outputs: z
    .union([z.array(z.unknown()), z.record(z.string(), z.unknown()).transform(Object.values)])
    .catch([]),
  attachments: z.record(z.string(), bundle).catch({}),
});
const notebookSchema = z.object({
  cells: z.array(z.unknown()).optional(),
  worksheets: z.array(z.object({ cells: z.array(z.unknown()).catch([]) })).optional(),
  metadata: z
    .object({
      kernelspec: z.object({ language: z.string().optional() }).optional().catch(undefined),
      language_info: z.object({ name: z.string().optional() }).optional().catch(undefined),
    })
    .catch({}),
});

/** One output of a cell. */
export interface Output {
  kind: 'stream' | 'error' | 'data';
  /** Stream: `stdout` or `stderr`. */
  name: string;
  /** Text of a stream, or the traceback of an error. */
  text: string;
  /** Representations by media type, as text; values that are not text are stored as JSON. */
  data: Map<string, string>;
}

export interface Cell {
  kind: 'code' | 'markdown' | 'raw';
  /** Programming language of code. */
  language: string;
  source: string;
  outputs: Output[];
  /** Pictures of a Markdown cell: representations by media type by file name. */
  attachments: Record<string, Record<string, unknown>>;
}

/** Representations of an output that formats 1 to 3 have as keys of the output itself. */
const OLD_KEYS: Record<string, string> = {
  html: 'text/html',
  latex: 'text/latex',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpeg: 'image/jpeg',
  json: 'application/json',
  javascript: 'application/javascript',
};

/**
 * Returns the cells of a Jupyter notebook of any format (1 to 4).
 *
 * @throws ExtractionError if the text is not a notebook
 */
export function notebookCells(json: string, fileName: string): Cell[] {
  const value = parseNotebook(json, fileName);
  const { success, data, error } = notebookSchema.safeParse(value);
  if (!success)
    throw new ExtractionError(
      phrase('unreadable.notebook', {
        name: fileName,
        reason: error.issues[0]?.message ?? phrase('unreadable.notebook_no_object'),
      }),
    );
  const { cells, worksheets, metadata } = data;
  const found = cells ?? worksheets?.flatMap((sheet) => sheet.cells);
  if (found === undefined)
    throw new ExtractionError(
      phrase('unreadable.notebook', { name: fileName, reason: phrase('unreadable.notebook_empty') }),
    );
  const language = metadata.language_info?.name ?? metadata.kernelspec?.language ?? 'python';
  return found.map((cell) => cellOf(cell, language));
}

function cellOf(value: unknown, language: string): Cell {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'raw', language, source: stringOf(value), outputs: [], attachments: {} };
  const cell = cellSchema.parse(value);
  const source = [cell.source, cell.input, cell.code, cell.text].find((each) => each !== '') ?? '';
  const kind = KINDS[cell.cell_type] ?? (cell.outputs.length > 0 ? 'code' : 'raw');
  return {
    kind,
    language: cell.language || language,
    source: cell.cell_type === 'heading' ? `${'#'.repeat(cell.level)} ${singleSpaced(source)}` : source,
    outputs: kind === 'code' ? mergedStreams(cell.outputs.map(outputOf)) : [],
    attachments: cell.attachments,
  };
}

const KINDS: Record<string, Cell['kind']> = {
  code: 'code',
  markdown: 'markdown',
  heading: 'markdown',
  html: 'markdown',
  text: 'markdown',
};

function outputOf(value: unknown): Output {
  const parsed = outputSchema.safeParse(value);
  if (!parsed.success)
    return { kind: 'stream', name: '', text: stringOf(value), data: new Map<string, string>() };
  const output = parsed.data;
  const data = new Map(Object.entries(output.data).map(([type, content]) => [type, stringOf(content)]));
  if (output.output_type === 'error' || output.output_type === 'pyerr')
    return { kind: 'error', name: '', text: errorText(output), data };
  if (output.output_type === 'stream')
    return { kind: 'stream', name: output.name || output.stream, text: output.text, data };
  for (const [key, type] of Object.entries(OLD_KEYS))
    if (Object.hasOwn(output, key) && !data.has(type)) data.set(type, stringOf(output[key]));
  if (output.text !== '' && !data.has('text/plain')) data.set('text/plain', output.text);
  const traceback = data.size === 0 ? errorText(output) : '';
  return traceback === ''
    ? { kind: 'data', name: '', text: '', data }
    : { kind: 'error', name: '', text: traceback, data };
}

/** Returns a traceback. Adds the error's name and message if it does not contain them. */
function errorText({ traceback, ename, evalue }: z.infer<typeof outputSchema>): string {
  const message = [ename, evalue].filter((part) => part !== '').join(': ');
  const trace = traceback.join('\n');
  const isNamed = [ename, evalue].every((part) => trace.includes(part));
  return isNamed ? trace : [trace, message].filter((part) => part !== '').join('\n');
}

/** Joins consecutive outputs to the same stream like Jupyter: an output may redraw a line of the previous one. */
function mergedStreams(outputs: readonly Output[]): Output[] {
  const merged: (Output & { pieces: string[] })[] = [];
  for (const output of outputs) {
    const last = merged.at(-1);
    if (last?.kind === 'stream' && output.kind === 'stream' && last.name === output.name)
      last.pieces.push(output.text);
    else merged.push({ ...output, pieces: [output.text] });
  }
  return merged.map(({ kind, name, data, pieces }) => ({ kind, name, data, text: pieces.join('') }));
}

function stringOf(value: unknown): string {
  if (typeof value === 'string') return withNumbers(value);
  if (Array.isArray(value) && value.every((line) => typeof line === 'string')) return value.join('');
  return value === undefined || value === null ? '' : withNumbers(JSON.stringify(value, null, 2));
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Character that Unicode reserves for programs. It marks a number until its value is written. */
const MARK = '\ufdd2';
const MARKED = /"?\ufdd2([-+.\deE]+)"?/g;
/** Values that are shown as JSON, in which each digit counts. */
const SHOWN_JSON = '"application/json"';

/**
 * Parses a notebook. Numbers that only Python writes, such as `NaN`, become texts. If outputs are shown as JSON, so do numbers that JavaScript
 * would write with other digits; `withNumbers` restores them.
 *
 * @throws ExtractionError if the text is not JSON
 */
function parseNotebook(json: string, fileName: string): unknown {
  try {
    if (!json.includes(SHOWN_JSON)) return JSON.parse(json);
  } catch {
    // Python writes numbers such as NaN, which JSON does not allow.
  }
  try {
    return JSON.parse(withQuotedNumbers(json));
  } catch (error) {
    const why = (error as Error).message.slice(0, 200);
    throw new ExtractionError(
      phrase('unreadable.notebook', {
        name: fileName,
        reason: phrase('unreadable.notebook_not_json', { reason: why }),
      }),
    );
  }
}

/** Restores the numbers of a value of the notebook as the file writes them. */
const withNumbers = (text: string): string => (text.includes(MARK) ? text.replace(MARKED, '$1') : text);

/** Puts `NaN`, `Infinity`, `-Infinity` and numbers that would lose digits into quotes, outside of strings. */
function withQuotedNumbers(json: string): string {
  const parts: string[] = [];
  let from = 0;
  const quote = (at: number, word: string, mark: string): void => {
    parts.push(json.slice(from, at), `"${mark}${word}"`);
    from = at + word.length;
  };
  for (let at = 0; at < json.length; at++) {
    const character = json[at]!;
    if (character === '"') at = endOfString(json, at);
    else if ('NI-0123456789'.includes(character)) {
      const constant = ['NaN', 'Infinity', '-Infinity'].find((each) => json.startsWith(each, at));
      const word = constant ?? json.slice(at, endOfNumber(json, at));
      if (constant !== undefined) quote(at, word, '');
      else if (NUMBER.test(word) && String(Number(word)) !== word) quote(at, word, MARK);
      at += word.length - 1;
    }
  }
  return [...parts, json.slice(from)].join('');
}

/** Returns the position of the quotation mark that ends the string which begins at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

function endOfNumber(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && '0123456789.eE+-'.includes(json[at]!)) at++;
  return at;
}

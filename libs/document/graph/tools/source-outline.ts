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

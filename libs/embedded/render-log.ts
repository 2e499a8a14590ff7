import { escapeControls } from '#contracts/invisible.js';
import pc from 'picocolors';

/** Fields that are the same in all lines of a process or are shown in other columns. */
const HIDDEN = new Set(['time', 'level', 'msg', 'app', 'pid', 'hostname', 'v']);
const PALETTE = [pc.cyan, pc.magenta, pc.yellow, pc.green, pc.blue, pc.red];
const LEVELS: Record<string, (text: string) => string> = {
  error: pc.red,
  fatal: pc.red,
  warn: pc.yellow,
  debug: pc.dim,
  trace: pc.dim,
};

/**
 * Renders a log line for people: `HH:MM:SS name level msg key=value`. The text of a line that is not a JSON
 * object is unchanged, except for control characters.
 *
 * @param width width of the name column, in characters
 */
export function renderLogLine(name: string, line: string, width = 12): string {
  const prefix = colourOf(name)(name.padEnd(width));
  const entry = parseEntry(line);
  if (entry === undefined) return `${clock(new Date())} ${prefix} ${escapeControls(line)}`;
  const level = escapeControls(String(entry['level'] ?? 'info'));
  const paint = LEVELS[level] ?? ((text: string) => text);
  const fields = Object.entries(entry)
    .filter(([key]) => !HIDDEN.has(key))
    .map(([key, value]) => `${pc.dim(`${escapeControls(key)}=`)}${escapeControls(renderValue(value))}`);
  const time = new Date(String(entry['time'] ?? ''));
  const at = clock(Number.isNaN(time.getTime()) ? new Date() : time);
  return [at, prefix, paint(level.padEnd(5)), paint(escapeControls(String(entry['msg'] ?? ''))), ...fields]
    .filter((part) => part !== '')
    .join(' ');
}

/** Parses a log line; returns undefined if it is not a JSON object. */
export function parseEntry(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function colourOf(name: string): (text: string) => string {
  let sum = 0;
  for (const char of name) sum += char.charCodeAt(0);
  return PALETTE[sum % PALETTE.length] ?? pc.cyan;
}

function clock(time: Date): string {
  return pc.dim(time.toTimeString().slice(0, 8));
}

function renderValue(value: unknown): string {
  if (typeof value === 'string') return /[\s"=]/.test(value) || value === '' ? JSON.stringify(value) : value;
  if (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { stack?: unknown }).stack === 'string'
  ) {
    const { stack, ...rest } = value as { stack: string };
    return `${JSON.stringify(rest)}\n    ${stack.replaceAll('\n', '\n    ')}`;
  }
  return JSON.stringify(value);
}

import type { AnsweredCall, ToolCall } from './conversation.js';

/** A stretch of a file, one or more pages long. `start` and `end` are byte offsets. */
export interface Stretch {
  text: string;
  start: number;
  end: number;
  /** The cursors whose pages the text is made of. */
  cursors: number[];
  /** Bytes of the longest page. */
  pageBytes: number;
  total: number;
  last: boolean;
}

const HEADER =
  /^\[file "[^\n]*" lines \d+-\d+ bytes (\d+)-(\d+) of (\d+); (?:next cursor \d+|end of file)\]$/;

/** Pages asked for in one message while all goes well, and at most while a line or a block is longer than what was read. */
const PAGES = { ahead: 8, most: 64 };

/** Puts the pages of one file together, from `cursor` on as far as they join or overlap; null when the first cannot be had. */
export function joinPages(answered: AnsweredCall[], file: string, cursor: number): Stretch | null {
  const stretch: Stretch = {
    text: '',
    start: cursor,
    end: cursor,
    cursors: [],
    pageBytes: 0,
    total: 0,
    last: false,
  };
  const parts: string[] = [];
  for (const call of answered) {
    if (call.name !== 'read_file' || call.args.filename !== file || call.failed) continue;
    const page = parsePage(call.result);
    if (page === null || page.start > stretch.end || stretch.last) continue;
    if (page.end <= stretch.end && page.end < page.total) continue;
    parts.push(skipBytes(page.text, stretch.end - page.start));
    stretch.cursors.push(Number(call.args.cursor ?? 0));
    stretch.pageBytes = Math.max(stretch.pageBytes, page.end - page.start);
    stretch.end = page.end;
    stretch.total = page.total;
    stretch.last = page.end >= page.total;
  }
  stretch.text = parts.join('');
  return stretch.cursors.length === 0 ? null : stretch;
}

function parsePage(result: string): { start: number; end: number; total: number; text: string } | null {
  const at = result.indexOf('\n');
  const header = HEADER.exec(at < 0 ? result : result.slice(0, at));
  if (header === null) return null;
  const [start, end, total] = [Number(header[1]), Number(header[2]), Number(header[3])];
  return { start, end, total, text: at < 0 ? '' : result.slice(at + 1) };
}

function skipBytes(text: string, bytes: number): string {
  return bytes === 0 ? text : Buffer.from(text).subarray(bytes).toString('utf8');
}

/** The byte at which the part of the stretch behind its first `consumed` characters begins. */
export function cursorAfter(stretch: Stretch, consumed: number): number {
  return stretch.end - Buffer.byteLength(stretch.text.slice(consumed));
}

export function readCall(filename: string, cursor: number): ToolCall {
  return { name: 'read_file', args: { filename, cursor } };
}

/** Reads on from a byte, several pages at once. */
export function readOn(file: string, cursor: number, stretch: Stretch): ToolCall[] {
  return guessCursors(cursor, stretch, PAGES.ahead).map((at) => readCall(file, at));
}

/** Reads a stretch once more and about twice as far. */
export function readFurther(file: string, stretch: Stretch): ToolCall[] {
  const extra = Math.min(stretch.cursors.length, PAGES.most);
  return [...stretch.cursors, ...guessCursors(stretch.end, stretch, extra)].map((cursor) =>
    readCall(file, cursor),
  );
}

/**
 * Where a page ends is known only when it is read, because it ends with a line. So the cursors behind the first are a tenth of a page
 * short of where the page before may end: pages overlap, and those that do not are left out by `joinPages`.
 */
function guessCursors(cursor: number, stretch: Stretch, count: number): number[] {
  const step = Math.max(1, Math.floor(stretch.pageBytes * 0.9));
  const cursors = Array.from({ length: count }, (_, page) => cursor + page * step);
  return cursors.filter((at) => at === cursor || at < stretch.total);
}

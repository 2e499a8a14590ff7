import type { AnsweredCall, ToolCall } from './conversation.js';

/** Consecutive pages of a file, at least one. `start` and `end` are byte offsets. */
export interface Stretch {
  text: string;
  start: number;
  end: number;
  /** Cursors of the pages that the text consists of. */
  cursors: number[];
  /** Size of the longest page in bytes. */
  pageBytes: number;
  total: number;
  last: boolean;
}

const HEADER =
  /^\[file "[^\n]*" lines \d+-\d+ bytes (\d+)-(\d+) of (\d+); (?:next cursor \d+|end of file)\]$/;

/** Pages per message: normally, and at most if a line or block is longer than what was read. */
const PAGES = { ahead: 8, most: 64 };

/**
 * Joins the pages of a file from `cursor` on, as far as they touch or overlap; null if the first is missing.
 */
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

/** Returns the byte offset of the part of the stretch after its first `consumed` characters. */
export function cursorAfter(stretch: Stretch, consumed: number): number {
  return stretch.end - Buffer.byteLength(stretch.text.slice(consumed));
}

export function readCall(filename: string, cursor: number): ToolCall {
  return { name: 'read_file', args: { filename, cursor } };
}

/** Reads on from a byte offset, several pages at once. */
export function readNextPage(file: string, cursor: number, stretch: Stretch): ToolCall[] {
  return guessCursors(cursor, stretch, PAGES.ahead).map((at) => readCall(file, at));
}

/** Reads a stretch again, about twice as far. */
export function readFurther(file: string, stretch: Stretch): ToolCall[] {
  const extra = Math.min(stretch.cursors.length, PAGES.most);
  return [...stretch.cursors, ...guessCursors(stretch.end, stretch, extra)].map((cursor) =>
    readCall(file, cursor),
  );
}

/**
 * Guesses the cursors of the next pages. A page ends at a line end, so its exact end is unknown until it is
 * read. Each guess is a tenth of a page short, so that pages overlap; `joinPages` skips pages that leave a
 * gap.
 */
function guessCursors(cursor: number, stretch: Stretch, count: number): number[] {
  const step = Math.max(1, Math.floor(stretch.pageBytes * 0.9));
  const cursors = Array.from({ length: count }, (_, page) => cursor + page * step);
  return cursors.filter((at) => at === cursor || at < stretch.total);
}

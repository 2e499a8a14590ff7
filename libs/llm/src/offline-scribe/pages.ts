import type { AnsweredCall, ToolCall } from './conversation.js';

/** A stretch of a file, whole pages long. `start` and `end` are byte offsets. */
export interface Stretch {
  text: string;
  start: number;
  end: number;
  /** Where each page began. */
  cursors: number[];
  total: number;
  last: boolean;
}

const HEADER =
  /^\[file "[^\n]*" lines \d+-\d+ bytes (\d+)-(\d+) of (\d+); (?:next cursor \d+|end of file)\]$/;

/** Most pages asked for at once, while a line is longer than all pages read so far. */
const MOST_PAGES = 64;

/** Puts the pages of one file together, from `cursor` on as far as they join; null when the first cannot be had. */
export function joinPages(answered: AnsweredCall[], file: string, cursor: number): Stretch | null {
  const stretch: Stretch = { text: '', start: cursor, end: cursor, cursors: [], total: 0, last: false };
  for (const call of answered) {
    if (call.name !== 'read_file' || call.args.filename !== file || call.failed) continue;
    const at = call.result.indexOf('\n');
    const header = HEADER.exec(at < 0 ? call.result : call.result.slice(0, at));
    if (header === null || Number(header[1]) !== stretch.end || stretch.last) continue;
    stretch.text += at < 0 ? '' : call.result.slice(at + 1);
    stretch.cursors.push(stretch.end);
    stretch.end = Number(header[2]);
    stretch.total = Number(header[3]);
    stretch.last = stretch.end >= stretch.total;
  }
  return stretch.cursors.length === 0 ? null : stretch;
}

/** The byte at which the part of the stretch behind its first `consumed` characters begins. */
export function cursorAfter(stretch: Stretch, consumed: number): number {
  return stretch.end - Buffer.byteLength(stretch.text.slice(consumed));
}

export function readCall(filename: string, cursor: number): ToolCall {
  return { name: 'read_file', args: { filename, cursor } };
}

/**
 * Reads a stretch once more and about twice as far. Pages begin where the ones before end, which is known only of the next one;
 * the ones behind it are guessed to be as long as the first, and `joinPages` leaves out those that do not join.
 */
export function readFurther(file: string, stretch: Stretch): ToolCall[] {
  const size = (stretch.cursors[1] ?? stretch.end) - stretch.start;
  const extra = Math.min(stretch.cursors.length, MOST_PAGES);
  const guessed = Array.from({ length: extra }, (_, page) => stretch.end + page * size);
  return [...stretch.cursors, ...guessed.filter((cursor) => cursor < stretch.total)].map((cursor) =>
    readCall(file, cursor),
  );
}

import type { Readable } from 'node:stream';

/** Bytes shown per line; longer lines are cut. */
const MAX_LINE_BYTES = 8_192;
const LINE_FEED = 10;

/**
 * Reads `count` lines of a text from line `first` (1-based) on, without line ends. Buffers only these lines,
 * and stops reading the stream after the last of them.
 *
 * @returns fewer lines if the text ends earlier; each is cut after 8 KiB
 */
export async function readLines(text: Readable, first: number, count: number): Promise<string[]> {
  const lines: string[] = [];
  let number = 1;
  let begun: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer) => {
    if (number < first || length >= MAX_LINE_BYTES) return;
    begun.push(part.subarray(0, MAX_LINE_BYTES - length));
    length += part.length;
  };
  const end = () => {
    if (number >= first) lines.push(Buffer.concat(begun).toString('utf8').replace(/\r$/, ''));
    begun = [];
    length = 0;
    number++;
  };
  // Leaving the loop destroys the stream.
  for await (const chunk of text as AsyncIterable<Buffer>) {
    let at = 0;
    for (let next = chunk.indexOf(LINE_FEED); next !== -1; next = chunk.indexOf(LINE_FEED, at)) {
      keep(chunk.subarray(at, next));
      end();
      at = next + 1;
      if (lines.length === count) return lines;
    }
    keep(chunk.subarray(at));
  }
  if (length > 0) end();
  return lines;
}

import type { FileSizes } from './tasks.js';

/** Returns the size of a text: its bytes in UTF-8, and its lines without an empty one behind the last line feed. */
export function sizeOfText(text: string): FileSizes[string] {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return { bytes: Buffer.byteLength(text), lines };
}

import { readDocx } from '#office/docx/read/read.js';
import { fencedBlocks } from './fenced-blocks.js';

/**
 * Expects every code block of the manuscript to occur byte for byte in a source (reading CRLF as LF), and the Word file to
 * contain exactly these blocks as code.
 */
export function expectFaithful(
  sources: Record<string, Uint8Array>,
  manuscript: string,
  docx: Uint8Array,
): void {
  const texts = Object.values(sources).map((bytes) =>
    Buffer.from(bytes).toString('utf8').replaceAll('\r\n', '\n'),
  );
  const blocks = fencedBlocks(manuscript);
  expect(blocks.length).toBeGreaterThan(5);
  for (const block of blocks) expect(texts.some((text) => text.includes(block))).toBe(true);
  const code = readDocx(docx).blocks.flatMap((block) => (block.type === 'code' ? [block.text] : []));
  expect(code).toEqual(blocks);
}

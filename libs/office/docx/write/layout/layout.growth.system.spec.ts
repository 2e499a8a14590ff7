import { growthOfOperations } from '#testing/operations.js';
import { buildStructure } from '../../../structure/build.js';
import { readDocx } from '../../read/read.js';
import { writeDocx } from '../write.js';

/** A document with code, prose and a word of together six times `size` characters, each in one line. */
const longLines = (size: number) => {
  const piece = 'https://example.org/a?b=c&d <e> word ';
  const line = piece.repeat((4.5 * size) / piece.length);
  return buildStructure(`# A\n\n\`\`\`\n${line}\n\`\`\`\n\n${line}\n\n${'x'.repeat(size)}\n\n# B\n`);
};

describe('page numbers of the table of contents', () => {
  it('D24 need operations in proportion to the length of the text, also in one long line', async () => {
    const noAssets = () => Promise.resolve(null);
    const structures = new Map([2_000, 4_000].map((size) => [size, longLines(size)]));
    const write = (size: number) => writeDocx(structures.get(size)!, noAssets, { toc: true });
    expect(Number(readDocx(await write(4_000)).toc[1]?.page)).toBeGreaterThan(4);
    expect(await growthOfOperations(write, 2_000)).toBeLessThan(2.5);
  });
});

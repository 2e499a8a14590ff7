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
  it('D24 are computed in bounded time for one line of several megabytes', async () => {
    const structure = longLines(500_000);
    const start = process.cpuUsage();
    const { toc } = readDocx(await writeDocx(structure, () => Promise.resolve(null), { toc: true }));
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(60);
    expect(Number(toc[1]?.page)).toBeGreaterThan(600);
  }, 120_000);
});

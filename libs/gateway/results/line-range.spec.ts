import fc from 'fast-check';
import { Readable } from 'node:stream';
import { readLines } from './results.controller.js';

/** The text in pieces that may end anywhere, also within a character. */
function pieces(text: string, size: number): Readable {
  const bytes = Buffer.from(text);
  const parts = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
  return Readable.from(parts);
}

describe('lines of a text', () => {
  it('X1 equal those of the whole text, wherever the stored parts end', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'ż', '𝄞', ' ', '\t'), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 20 }),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 9 }),
        async (lines, ending, first, count, size) => {
          const text = lines.map((each) => each + ending).join('');
          expect(await readLines(pieces(text, size), first, count)).toEqual(
            lines.slice(first - 1, first - 1 + count),
          );
        },
      ),
    );
  });

  it('a last line without a line break counts, and a line of megabytes is truncated', async () => {
    expect(await readLines(pieces('one\ntwo', 3), 2, 5)).toEqual(['two']);
    const [long] = await readLines(pieces('x'.repeat(3_000_000), 65_536), 1, 1);
    expect(long).toHaveLength(8_192);
  });
});

import fc from 'fast-check';
import { align } from './align.js';

function lcs(a: number[], b: number[]): number {
  const rows = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      rows[i]![j] =
        a[i - 1] === b[j - 1] ? rows[i - 1]![j - 1]! + 1 : Math.max(rows[i - 1]![j]!, rows[i]![j - 1]!);
  return rows[a.length]![b.length]!;
}

const ids = (max: number, maxLength: number) => fc.array(fc.integer({ min: 0, max }), { maxLength });

describe('align', () => {
  it('returns increasing matches of equal IDs', () => {
    fc.assert(
      fc.property(ids(12, 200), ids(12, 200), (a, b) => {
        let last = -1;
        align(Int32Array.from(a), Int32Array.from(b)).forEach((j, i) => {
          if (j < 0) return;
          expect(b[j]).toBe(a[i]);
          expect(j).toBeGreaterThan(last);
          last = j;
        });
      }),
    );
  });

  it('returns a longest common subsequence of short sequences', () => {
    fc.assert(
      fc.property(ids(4, 24), ids(4, 24), (a, b) => {
        const matched = align(Int32Array.from(a), Int32Array.from(b)).filter((j) => j >= 0).length;
        expect(matched).toBe(lcs(a, b));
      }),
    );
  });

  it('finds the dropped, doubled or changed ID in a long sequence of few different IDs', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4999 }),
        fc.integer({ min: 0, max: 2 }),
        fc.integer(),
        (at, how, seed) => {
          const a = Int32Array.from(
            { length: 5000 },
            (_, i) => Math.abs(Math.imul(i + 1, 2654435761) ^ seed) % 3,
          );
          const b = Array.from(a);
          if (how === 0) b.splice(at, 1);
          else if (how === 1) b.splice(at, 0, b[at] as number);
          else b[at] = 99;
          const unmatched = align(a, Int32Array.from(b)).filter((j) => j < 0).length;
          expect(unmatched).toBe(how === 1 ? 0 : 1);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('handles 300,000 lines of seven different IDs in different orders', () => {
    const size = 300_000;
    const random = (seed: number) =>
      Int32Array.from({ length: size }, (_, i) => (Math.imul(i ^ seed, 0x9e3779b1) >>> 13) % 7);
    expect(align(random(1), random(77))).toHaveLength(size);
  });
});

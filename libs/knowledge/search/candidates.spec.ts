import { priorityWeights } from '../contract.js';
import fc from 'fast-check';
import { candidates } from './search.js';

describe('the passages that a search reads', () => {
  it('B15 include the best k by score, for any priorities of their sources', () => {
    const weight = fc.constantFrom(...Object.values(priorityWeights));
    const passages = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), weight), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(passages, fc.integer({ min: 1, max: 20 }), (all, k) => {
        const sorted = all.sort(([a], [b]) => b - a);
        const fused = sorted.map(([relevance], at) => ({ key: String(at), relevance, places: {} }));
        const score = (at: number) => sorted[at]![0] * (1 + 0.2 * sorted[at]![1]);
        const best = (places: number[]) => places.map(score).sort((a, b) => b - a).slice(0, k);
        expect(best(candidates(fused, k).map(({ key }) => Number(key)))).toEqual(best([...sorted.keys()]));
      }),
      { numRuns: 500 },
    ); // prettier-ignore
  });

  it('are limited in number', () => {
    const fused = Array.from({ length: 200 }, (_, at) => ({
      key: String(at),
      relevance: 11 / (at + 11),
      places: {},
    }));
    expect(candidates(fused, 10).length).toBeLessThan(30);
  });
});

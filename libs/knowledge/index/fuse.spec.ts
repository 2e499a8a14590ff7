import { fuseRanks, fuseWithVectors } from './fuse.js';

const list = (scores: Record<string, number>) =>
  Object.entries(scores).map(([key, score]) => ({ key, score }));
const keys = (fused: { key: string }[]) => fused.map(({ key }) => key);

describe('lists that are joined', () => {
  const words = (scores: Record<string, number>) => ({ bm25: { items: list(scores), weight: 1 } });

  it('B14 by rank ignore the distance between scores', () => {
    const lists = (first: number, second: number) => ({
      ...words({ a: first, b: second }),
      trigrams: { items: list({ b: 0.9, c: 0.8 }), weight: 0.4 },
    });
    expect(fuseRanks(lists(100, 1))).toMatchObject(
      fuseRanks(lists(2, 1)).map(({ key, relevance }) => ({ key, relevance })),
    );
    expect(fuseRanks(lists(100, 1))[0]).toEqual({
      key: 'b',
      relevance: 1,
      places: { bm25: { rank: 2, score: 1 }, trigrams: { rank: 1, score: 0.9 } },
    });
  });

  it('B14 keep confident matches by words first, and follow the vectors elsewhere', () => {
    const vectors = list({ b: 0.9, a: 0.8, d: 0.7, e: 0.6 });
    expect(keys(fuseWithVectors(words({ a: 100, b: 3, c: 2, d: 1 }), vectors))).toEqual([
      'a',
      'b',
      'd',
      'c',
      'e',
    ]);
    expect(keys(fuseWithVectors(words({ a: 10, b: 9, c: 2, d: 1 }), vectors))[0]).toBe('b');
  });

  it('B14 keep the order by words, followed by the vector hits, if they have nothing in common', () => {
    const vectors = list({ z: 0.9, y: 0.8, x: 0.7, b: 0.6, a: 0.5 });
    const fused = fuseWithVectors(words({ a: 5, b: 4.9, c: 4.8, d: 4.7 }), vectors);
    expect(keys(fused)).toEqual(['a', 'b', 'c', 'd', 'z', 'y', 'x']);
    expect(fused[0]).toMatchObject({
      relevance: 1,
      places: { bm25: { rank: 1, score: 5 }, vectors: { rank: 5, score: 0.5 } },
    });
  });

  it('B14 ignore how similar all texts are to a model', () => {
    const at = (base: number) => list({ c: base + 0.04, a: base + 0.03, b: base + 0.01, d: base });
    const [low, high] = [0.1, 0.9].map((base) =>
      fuseWithVectors(words({ a: 4, b: 3, c: 2, d: 1 }), at(base)),
    );
    expect(keys(high!)).toEqual(keys(low!));
    high!.forEach(({ relevance }, index) => expect(relevance).toBeCloseTo(low![index]!.relevance, 6));
  });

  it('compare only as many positions as the shorter list justifies', () => {
    const one = fuseWithVectors(words({ a: 2 }), list({ a: 0.9, b: 0.8, c: 0.1 }));
    expect(one.map(({ key, relevance }) => [key, Number(relevance.toFixed(2))])).toEqual([
      ['a', 1],
      ['b', 0.48],
      ['c', 0],
    ]);
  });

  it('give the first a relevance of 1, and order ties by key', () => {
    const equals = {
      words: { items: list({ b: 1 }), weight: 3 },
      vectors: { items: list({ a: 1 }), weight: 3 },
    };
    expect(fuseRanks(equals).map(({ key, relevance }) => [key, relevance])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    expect(fuseRanks({ words: { items: [], weight: 1 } })).toEqual([]);
  });
});

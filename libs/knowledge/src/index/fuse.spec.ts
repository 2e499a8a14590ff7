import { agreement, fuseRanks, fuseScores } from './fuse.js';

const list = (scores: Record<string, number>) =>
  Object.entries(scores).map(([key, score]) => ({ key, score }));
const keys = (fused: { key: string }[]) => fused.map(({ key }) => key);

describe('lists that are joined', () => {
  const lists = (first: number, second: number) => ({
    words: { items: list({ a: first, b: second }), weight: 1 },
    vectors: { items: list({ b: 0.9, c: 0.8 }), weight: 0.4 },
  });

  it('B14 by rank take no notice of how far scores are apart', () => {
    expect(fuseRanks(lists(100, 1))).toMatchObject(
      fuseRanks(lists(2, 1)).map(({ key, relevance }) => ({ key, relevance })),
    );
    expect(fuseRanks(lists(100, 1))[0]).toEqual({
      key: 'b',
      relevance: 1,
      places: { words: { rank: 2, score: 1 }, vectors: { rank: 1, score: 0.9 } },
    });
  });

  it('B14 by score leave first what one is sure of, and follow the other where it is not', () => {
    expect(keys(fuseScores(lists(10, 3)))[0]).toBe('a');
    expect(keys(fuseScores(lists(10, 9)))[0]).toBe('b');
  });

  it('B14 by score take what is unlike the query, by cosine, for nothing', () => {
    const fused = fuseScores({
      words: { items: list({ a: 1 }), weight: 1 },
      vectors: { items: list({ b: -0.1, c: -0.2 }), weight: 1 },
    });
    expect(fused.map(({ key, relevance }) => [key, relevance])).toEqual([
      ['a', 1],
      ['b', 0],
      ['c', 0],
    ]);
  });

  it('give the first a relevance of 1, and of equals the one of the smaller key first', () => {
    const equals = {
      words: { items: list({ b: 1 }), weight: 3 },
      vectors: { items: list({ a: 1 }), weight: 3 },
    };
    for (const fuse of [fuseRanks, fuseScores]) {
      expect(fuse(equals).map(({ key, relevance }) => [key, relevance])).toEqual([
        ['a', 1],
        ['b', 1],
      ]);
      expect(fuse({ words: { items: [], weight: 1 } })).toEqual([]);
    }
  });

  it('agree by what their first places have in common', () => {
    const one = list({ a: 9, b: 8, c: 7 });
    expect(agreement(one, list({ b: 1, a: 0.5, d: 0.1 }), 2)).toBe(1);
    expect(agreement(one, list({ c: 1, a: 0.5 }), 2)).toBe(0.5);
    expect(agreement(one, [], 2)).toBe(0);
  });
});

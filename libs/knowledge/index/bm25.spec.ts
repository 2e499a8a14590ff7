import fc from 'fast-check';
import { PlainBm25 } from '../../../test/eval/plain-bm25.js';
import { rankBm25, type Ranked } from './bm25.js';
import { findInBucket, soughtTerms, type Postings } from './postings.js';
import { bucketOf, SegmentBuilder, termHash, type Segment, type TermList, countTerms } from './segment.js';
import { queryWords } from '../text/stems.js';

const vocabulary = [
  'run',
  'running',
  'ran',
  'book',
  'książka',
  'książki',
  'ship',
  'ships',
  'a',
  'the',
  '漢字',
  'x1',
];
const sentence = fc
  .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 40 })
  .map((all) => all.join(' '));

const build = (texts: string[]) => {
  const builder = new SegmentBuilder();
  for (const [at, text] of texts.entries()) builder.add({ source: at + 1, terms: countTerms(text, 'en') });
  return builder.build();
};

/** Looks terms up as the database does: each in its own bucket only. */
const lookUp = (segment: Segment, list: TermList, terms: string[]) => {
  const postings = new Map<string, Postings>();
  for (const term of terms) {
    const bucket = bucketOf(termHash(term), segment.bucketCount[list]);
    const found = segment.buckets.find((one) => one.list === list && one.bucket === bucket);
    if (found)
      for (const [key, value] of findInBucket(found.bytes, soughtTerms([term]))) postings.set(key, value);
  }
  return { lengths: segment.lengths, postings };
};

const rank = (segments: Segment[], query: string) => {
  const groups = queryWords(query, ['en'], 100).map(({ stems }) => stems);
  return rankBm25(segments.map((segment) => lookUp(segment, 'stems', groups.flat())), groups, 1_000); // prettier-ignore
};

const scoresOf = (ranked: Ranked[]) => ranked.map(({ score }) => score);

describe('the inverted index', () => {
  it('B14 scores like textbook BM25, however the texts are distributed over segments', () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 30 }), sentence, fc.nat(), (texts, query, seed) => {
        const cut = seed % (texts.length + 1);
        const expected = new PlainBm25(texts, 'en').rank(query);
        const segments = [build(texts.slice(0, cut)), build(texts.slice(cut))];
        const found = rank(segments, query).map(({ segment, ordinal, score }) => ({ index: segment * cut + ordinal, score }));
        expect(found.map(({ index }) => index).sort((a, b) => a - b)).toEqual(expected.map(({ index }) => index).sort((a, b) => a - b));
        for (const { index, score } of found) expect(score).toBeCloseTo(expected.find((one) => one.index === index)!.score, 8);
      }),
      { numRuns: 200 },
    ); // prettier-ignore
  });

  it('B14 merges segments into one that finds the same passages, without deleted ones', () => {
    fc.assert(
      fc.property(fc.array(fc.array(sentence, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 }), sentence, fc.nat(), (parts, query, seed) => {
        const builder = new SegmentBuilder();
        const left: string[] = [];
        for (const [at, texts] of parts.entries()) {
          const segment = build(texts);
          const gone = (seed + at) % texts.length;
          segment.lengths[gone] = 0;
          const ordinals = builder.append(segment);
          expect([...ordinals]).toEqual(texts.map((_, old) => (old === gone ? -1 : left.length + old - (old > gone ? 1 : 0))));
          left.push(...texts.filter((_, old) => old !== gone));
        }
        const merged = builder.build();
        expect(merged.passages).toBe(left.length);
        const [found, fresh] = [rank([merged], query), rank([build(left)], query)];
        expect(found).toEqual(fresh);
      }),
      { numRuns: 100 },
    ); // prettier-ignore
  });

  it('B14 never finds deleted or excluded passages', () => {
    const segment = build(['ship one', 'ship two', 'ship three']);
    segment.lengths[1] = 0;
    const searched = { ...lookUp(segment, 'stems', ['ship']), allows: (ordinal: number) => ordinal !== 2 };
    expect(rankBm25([searched], [['ship']], 10).map(({ ordinal }) => ordinal)).toEqual([0]);
  });

  it('B14 returns the best passages in order', () => {
    const texts = Array.from({ length: 2_000 }, (_, at) => `ship ${'sea '.repeat(at % 97)}`);
    const segment = build(texts);
    const all = rank([segment], 'ship');
    const groups = [['ship']];
    const best = rankBm25([lookUp(segment, 'stems', ['ship'])], groups, 10);
    expect(scoresOf(best)).toEqual(scoresOf(all).slice(0, 10));
    expect(best).toEqual(all.slice(0, 10));
  });
});

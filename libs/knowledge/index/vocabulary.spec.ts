import fc from 'fast-check';
import { trigramsOf } from '../text/words.js';
import { withSimilar } from './lexical.js';
import { findInBucket, soughtTerms, type Postings } from './postings.js';
import { bucketOf, SegmentBuilder, termHash, countTerms } from './segment.js';
import { rankSimilar } from './similar.js';
import {
  dice,
  MIN_SIMILARITY,
  mostSimilar,
  nearestWords,
  type SimilarWord,
  wordIn,
  WORDS_IN_BLOCK,
} from './vocabulary.js';

const word = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'n', 'ł', 'l'), minLength: 1, maxLength: 9 }),
  fc.constantFrom('książka', 'ksiazka', 'książkami', 'banana', 'bananas', '漢字', 'x1', 'مرحبا'),
);

/** Compares all words, as the index must not need to. */
function mostSimilarOf(vocabulary: Iterable<string>, asked: readonly string[]): SimilarWord[] {
  const queryTrigrams = asked.map((word) => new Set(trigramsOf(word)));
  const similar: SimilarWord[] = [];
  for (const term of vocabulary) {
    const grams = trigramsOf(term);
    for (const own of queryTrigrams) {
      const shared = grams.filter((gram) => own.has(gram)).length;
      const similarity = shared === 0 ? 0 : dice(shared, own.size, grams.length);
      if (similarity >= MIN_SIMILARITY) similar.push({ term, similarity });
    }
  }
  return mostSimilar(similar);
}

const build = (words: string[]) => {
  const builder = new SegmentBuilder();
  for (const one of words) builder.add({ source: 1, terms: countTerms(one, null) });
  return builder.build();
};

/** Returns the similar words that a segment contains, looked up as the database does. */
const lookUp = (words: string[], asked: string) => {
  const { buckets, bucketCount, wordSizes } = build(words);
  const grams = trigramsOf(asked);
  const postings = new Map<string, Postings>();
  for (const gram of grams) {
    const bucket = bucketOf(termHash(gram), bucketCount.trigrams);
    const found = buckets.find((one) => one.list === 'trigrams' && one.bucket === bucket);
    for (const [term, value] of found ? findInBucket(found.bytes, soughtTerms([gram])) : [])
      postings.set(term, value);
  }
  const blocks = buckets.filter(({ list }) => list === 'words').sort((a, b) => a.bucket - b.bucket);
  return nearestWords(grams, postings, wordSizes).map(({ number, similarity }) => ({
    term: wordIn(blocks[Math.floor(number / WORDS_IN_BLOCK)]!.bytes, number),
    similarity,
  }));
};

describe('the vocabulary of an index', () => {
  it('B14 finds the most similar words, however they are distributed over segments', () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 200 }), word, fc.nat(200), (words, asked, cut) => {
        const found = mostSimilar([
          ...lookUp(words.slice(0, cut), asked),
          ...lookUp(words.slice(cut), asked),
        ]);
        expect(found).toEqual(mostSimilarOf(words, [asked]));
      }),
      { numRuns: 300 },
    );
  });

  it('B14 stores thousands of words in blocks, and finds each of them', () => {
    const words = Array.from({ length: 3_000 }, (_, at) => `w${(at * 7_919).toString(36)}x`);
    for (const asked of words.filter((_, at) => at % 97 === 0))
      expect(lookUp(words, asked)[0]).toEqual({ term: asked, similarity: 1 });
  });

  it('B14 counts words with the same stem once', () => {
    expect(withSimilar([['flow'], ['wing', 'win'], ['flow'], [], ['win']])).toEqual([
      ['flow'],
      ['wing', 'win'],
    ]);
  });

  it('B14 ranks passages without query words by similar words, and an exact match first', () => {
    const texts = ['harbour master', 'harbor pilot', 'harvest moon', 'lighthouse'];
    const segment = build(texts);
    const postings = new Map<string, Postings>();
    for (const { list, bytes } of segment.buckets)
      if (list === 'stems') for (const stem of texts.join(' ').split(' ')) for (const [term, found] of findInBucket(bytes, soughtTerms([stem]))) postings.set(term, found);
    const rank = (asked: string) =>
      rankSimilar([{ lengths: segment.lengths, postings }], [{ own: [asked], similar: mostSimilarOf(postings.keys(), [asked]) }], 10);
    expect(rank('harbour').map(({ ordinal }) => texts[ordinal])).toEqual(['harbour master', 'harbor pilot']);
    expect(texts[rank('harbouur')[0]!.ordinal]).toBe('harbour master');
    expect(rank('zzz')).toEqual([]);
    expect(rankSimilar([], [{ own: ['x'], similar: [] }], 10)).toEqual([]);
  }); // prettier-ignore
});

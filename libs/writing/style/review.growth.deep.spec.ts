import { growthOfOperations } from '#testing/operations.js';
import { fingerprintOf } from './fingerprint.js';
import { reviewStyle } from './review.js';
import { HOSTILE_PIECES } from '#testing/style/hostile-pieces.js';
import { museumCorpus } from '#testing/style/museum.js';

describe('A7 the review of a draft', () => {
  const fingerprint = fingerprintOf(museumCorpus.map((text, index) => ({ title: `${index}`, text })));

  it.each(HOSTILE_PIECES)(
    'needs a number of operations that grows linearly with the text: %j',
    async (piece) => {
      const review = (size: number) => reviewStyle(piece.repeat(Math.ceil(size / piece.length)), fingerprint);
      expect(await growthOfOperations(review, 4_000)).toBeLessThan(2.8);
    },
  );
});

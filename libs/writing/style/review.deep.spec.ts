import { fingerprintOf } from './fingerprint.js';
import { reviewStyle } from './review.js';
import { HOSTILE_PIECES } from '#testing/style/hostile-pieces.js';
import { museumCorpus } from '#testing/style/museum.js';

describe('A7 the review of a draft', () => {
  const fingerprint = fingerprintOf(museumCorpus.map((text, index) => ({ title: `${index}`, text })));

  it('needs bounded time for a million hostile characters', () => {
    for (const piece of HOSTILE_PIECES) {
      const before = process.cpuUsage();
      reviewStyle(piece.repeat(Math.ceil(1_000_000 / piece.length)), fingerprint);
      const { user, system } = process.cpuUsage(before);
      expect([piece, (user + system) / 1e6 < 20]).toEqual([piece, true]);
    }
  }, 300_000);
});

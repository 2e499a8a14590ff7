import { followedShare, missingWords } from './pdf-words.js';

describe('words of a PDF by two readers', () => {
  it('returns words that one reader lacks, regardless of hyphens, raised letters and escapes', () => {
    expect(missingWords('A well-known word 10⁶ ﬁts snake_case', 'known 106 fits well snake\\_case')).toEqual([
      'word',
    ]);
  });

  it('returns the share of words that are adjacent in both', () => {
    expect(followedShare('one two three four', 'one two three four')).toBe(1);
    expect(followedShare('one two three four', 'one three two four')).toBe(0);
    expect(followedShare('an extra-\nordinary one', 'an extraordinary one')).toBe(1);
  });
});

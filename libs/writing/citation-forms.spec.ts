import { describe, expect, it } from '@jest/globals';
import { normalizeCitations } from './citation-forms.js';

describe('B26 forms of citations', () => {
  it.each([
    ['It burned.[s2]', 'It burned.[^s2]'],
    ['It burned (s2).', 'It burned [^s2].'],
    ['It burned.[^s2, s5]', 'It burned.[^s2][^s5]'],
    ['It burned.[^S2; ^s5]', 'It burned.[^s2][^s5]'],
    ['It burned.[^s2][^s5]', 'It burned.[^s2][^s5]'],
    ['A [link [s2]](x), [s2](http://x) and [s9].', 'A [link [^s2]](x), [s2](http://x) and [s9].'],
    ['It burned [s2 and s5] [ s2 ] (^s2 ,s5).', 'It burned [^s2][^s5] [^s2] [^s2][^s5].'],
    ['It burned [s2] in `a[s2]`.', 'It burned [^s2] in `a[s2]`.'],
    ['```\na[s2]\n```', '```\na[s2]\n```'],
  ])('B26 reads %j', (text, expected) => {
    expect(normalizeCitations(text, ['s2', 's5'])).toBe(expected);
  });
});

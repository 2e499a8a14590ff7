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
    ['It burned【s2】.', 'It burned[^s2].'],
    ['It burned【s2†source】 and ［s5］.', 'It burned[^s2] and [^s5].'],
    ['It burned [s2] [s9] [[s9]] [s2].', 'It burned [^s2] [s9] [[s9]] [^s2].'],
    ['It burned.[s2][s5]', 'It burned.[^s2][^s5]'],
    ['It burned.[s2; s5]', 'It burned.[^s2][^s5]'],
    ['Es brannte (siehe s2).', 'Es brannte [^s2].'],
    ['Es brannte (vgl. s2 und s5) [Quelle: s2].', 'Es brannte [^s2][^s5] [^s2].'],
    ['Es brannte (s. s2, s5) (Quellen s2 sowie s5).', 'Es brannte [^s2][^s5] [^s2][^s5].'],
    ['Paliło się (zob. s2), (por. s5) i [źródło: s2].', 'Paliło się [^s2], [^s5] i [^s2].'],
    ['Paliło się (źródła: s2 oraz s5).', 'Paliło się [^s2][^s5].'],
    ['It burned (see s2), (cf. [s5]) and [passages s2, s5].', 'It burned [^s2], [^s5] and [^s2][^s5].'],
    ['Ça brûle (voir s2 et s5) (véase s2 y s5).', 'Ça brûle [^s2][^s5] [^s2][^s5].'],
    ['It burned [[s2]] {s5} [@s2] [s2/s5].', 'It burned [^s2] [^s5] [^s2] [^s2][^s5].'],
    ['It burned.<sup>s2</sup> <sup>[s2, s5]</sup>', 'It burned.[^s2] [^s2][^s5]'],
    ['The s2 model (model s2) and (see s9).', 'The s2 model (model s2) and (see s9).'],
    ['The set {s2: 1} and f(s2, x).', 'The set {s2: 1} and f(s2, x).'],
  ])('B26 reads %j', (text, expected) => {
    expect(normalizeCitations(text, ['s2', 's5'])).toBe(expected);
  });
});

import fc from 'fast-check';
import { streamedWords } from '../../apps/studio/src/api/streamed-words.js';

describe('words of a model’s answer that is still streaming', () => {
  it('are always a beginning of the proposed words, and finally all of them', () => {
    const strings = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(strings, strings, fc.nat(), (replacement, note, cut) => {
        const answer = JSON.stringify({ replacement, note, cannot: null });
        expect(streamedWords(answer)).toBe(replacement);
        const begun = streamedWords(answer.slice(0, cut % (answer.length + 1)));
        expect(replacement.startsWith(begun)).toBe(true);
      }),
    );
  });

  it('belong to the corrected answer, and are empty before it or without it', () => {
    expect(streamedWords('Sure! {"replacement": "One"} {"replacement": "Two')).toBe('Two');
    expect(streamedWords('{"replacement"')).toBe('');
    expect(streamedWords('{"replacement": null, "note": "None."')).toBe('');
    expect(streamedWords('{"replacement": "a\\nb \\u00')).toBe('a\nb ');
    expect(streamedWords('{"name":"a.md","text":"# Crew', 'text')).toBe('# Crew');
  });
});

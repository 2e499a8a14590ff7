import fc from 'fast-check';
import { createQuoteFinder } from './quotes.js';

const TEXT = 'The keeper’s lamp\nburned   all night. “Oil,” he wrote, “is dear.” Oil is dear.';
const find = createQuoteFinder(TEXT);
const words = (quote: string, from?: number) => {
  const span = find(quote, from);
  return span && TEXT.slice(span.start, span.end);
};

describe('words quoted from a text', () => {
  it.each([
    ["The keeper's lamp burned all night", 'The keeper’s lamp\nburned   all night'],
    ['"Oil," he wrote', '“Oil,” he wrote'],
    ['  lamp burned ', 'lamp\nburned'],
    ['all night.', 'all night.'],
  ])('finds %j', (quote, found) => {
    expect(words(quote)).toBe(found);
  });

  it('finds words from an offset, and nothing for words that the text lacks', () => {
    expect(find('is dear', 60)!.start).toBe(TEXT.lastIndexOf('is dear'));
    for (const quote of ['', ' ', 'The keepers lamp', 'no such words']) expect(find(quote)).toBeNull();
  });

  it('finds every part of a text, whatever the marks and the white space become', () => {
    const piece = fc.constantFrom('a', 'b', ' ', '\n', '’', "'", '“', '"', 'ł');
    const text = fc.array(piece, { maxLength: 40 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, fc.nat(40), fc.nat(40), (whole, start, length) => {
        const part = whole.slice(start, start + length);
        const changed = part.replace(/[’']/g, '‘').replace(/[“"]/g, '„').replace(/\s/g, '\n ');
        const span = createQuoteFinder(whole)(changed);
        if (part.trim() === '') expect(span).toBeNull();
        else expect(plain(whole.slice(span!.start, span!.end))).toBe(plain(part));
      }),
    );
  });
});

const plain = (text: string) => text.replace(/[’']/g, "'").replace(/[“"]/g, '"').replace(/\s+/g, ' ').trim();

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { acceptedLanguage } from './results.controller.js';

describe('acceptedLanguage', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['fr, *', 'en'],
    ['de-AT', 'de'],
    ['PL', 'pl'],
    ['fr;q=0.9, pl;q=0.5, de ; q=0.8, en;q=0.7', 'de'],
    ['de;q=0, pl;q=0.1', 'pl'],
    ['de;q=none', 'en'],
    ['en-GB,en;q=0.9,de;q=0.8', 'en'],
  ])('returns for %j the language %s', (header, language) => {
    expect(acceptedLanguage(header)).toBe(language);
  });

  it('returns a language with texts for any header', () => {
    fc.assert(fc.property(fc.string(), (header) => ['de', 'en', 'pl'].includes(acceptedLanguage(header))));
  });
});

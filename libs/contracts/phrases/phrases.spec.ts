import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { problemCatalogue } from '../errors.js';
import { de } from './de.js';
import { en } from './en.js';
import { englishText, phrase } from './phrase.js';
import { pl } from './pl.js';
import { renderPhrase, type PhraseCatalogue, type PhraseText } from './render.js';

const english: PhraseCatalogue = {
  ...Object.fromEntries(Object.entries(problemCatalogue).map(([code, { title }]) => [code, title])),
  ...en,
};
const formsOf = (text: PhraseText): string[] => (typeof text === 'string' ? [text] : Object.values(text));
const placeholdersOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))].sort();
/** Names in any form; a plural may leave out its number in a form such as "one file". */
const parametersOf = (text: PhraseText): string[] => placeholdersOf(formsOf(text).join(' '));

describe.each([
  ['de', de],
  ['pl', pl],
])('texts in %s', (language, catalogue: PhraseCatalogue) => {
  it('have the codes of the English texts and of all problems', () => {
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(english).sort());
  });

  it.each(Object.keys(english))('%s has the parameters of the English text', (code) => {
    expect(parametersOf(catalogue[code]!)).toEqual(parametersOf(english[code]!));
  });

  it('have each plural form of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const text of Object.values(catalogue))
      if (typeof text !== 'string') expect(Object.keys(text).sort()).toEqual([...pluralCategories].sort());
  });
});

it('no English plural form is missing a parameter that the compiler requires', () => {
  for (const text of Object.values<PhraseText>(en))
    if (typeof text !== 'string') expect(parametersOf(text)).toContain('count');
});

describe('renderPhrase', () => {
  it('chooses the plural form of the language', () => {
    const files = (count: number) => renderPhrase(pl, 'pl', phrase('question.unreadable_files', { count }));
    expect(files(1)).toContain('1 pliku');
    expect(files(3)).toContain('3 plików');
    expect(englishText(phrase('question.unreadable_files', { count: 1 }))).toMatch(/^1 file cannot/);
    expect(englishText(phrase('question.unreadable_files', { count: 2 }))).toMatch(/^2 files cannot/);
  });

  it('renders phrases in parameters in the same language', () => {
    const problem = phrase('file_name.empty');
    expect(renderPhrase(de, 'de', phrase('invalid_file_name.rename', { problem }))).toBe(
      'Der Dateiname ist leer. Benennen Sie die Datei um und senden Sie sie erneut.',
    );
  });

  it('returns null for an unknown code, also within a parameter', () => {
    expect(renderPhrase(de, 'de', { code: 'toString', params: {} })).toBeNull();
    const problem = { code: 'newer_code', params: {} };
    expect(renderPhrase(de, 'de', { code: 'invalid_file_name.rename', params: { problem } })).toBeNull();
  });

  it('inserts any value once, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const limit = '{name}';
        expect(englishText(phrase('file_too_large.input', { name, limit }))).toBe(
          `"${name}" is larger than {name} MB. Split it and send the parts.`,
        );
      }),
    );
  });
});

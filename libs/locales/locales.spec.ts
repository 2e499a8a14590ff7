import { catalogueOf, type Locale } from '#contracts/phrases/catalogue.js';
import type { PhraseText } from '#contracts/phrases/render.js';
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

const LANGUAGES = ['en', 'de', 'pl'];
const localeOf = (language: string) =>
  JSON.parse(readFileSync(`libs/locales/${language}.json`, 'utf8')) as Locale;

const formsOf = (text: PhraseText): string[] => (typeof text === 'string' ? [text] : Object.values(text));
/** Names in any form; a plural may leave out its number in a form such as "one file". */
const parametersOf = (text: PhraseText): string[] => [
  ...new Set(
    [
      ...formsOf(text)
        .join(' ')
        .matchAll(/\{(\w+)\}/g),
    ].map(([, name]) => name!),
  ),
];

/** Returns the texts of a language by program, area and code. */
const textsOf = (language: string): [string, PhraseText][] =>
  Object.entries(localeOf(language)).flatMap(([program, areas]) =>
    Object.entries(areas).flatMap(([area, texts]) =>
      Object.entries(texts).map(([code, text]): [string, PhraseText] => [`${program} ${area} ${code}`, text]),
    ),
  );

describe.each(LANGUAGES)('texts in %s', (language) => {
  const texts = textsOf(language);

  it('have the order, the codes and the parameters of the English texts', () => {
    const named = (all: [string, PhraseText][]) =>
      all.map(([code, text]) => [code, parametersOf(text).sort()]);
    expect(named(texts)).toEqual(named(textsOf('en')));
  });

  it('have each plural form of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [code, text] of texts)
      if (typeof text !== 'string') {
        const forms = Object.keys(text).filter((form) => form !== 'zero');
        expect([code, forms.sort()]).toEqual([code, [...pluralCategories].sort()]);
      }
  });

  it('show the number on which a plural form depends', () => {
    const plurals = texts.filter(([code, text]) => typeof text !== 'string' && !code.startsWith('studio '));
    expect(plurals.filter(([, text]) => !parametersOf(text).includes('count'))).toEqual([]);
  });

  it('are not empty', () => {
    expect(texts.filter(([, text]) => formsOf(text).some((form) => form.trim() === ''))).toEqual([]);
  });

  it('have a code of their own', () => {
    const named = texts.filter(([code]) => !code.startsWith('studio '));
    expect(Object.keys(catalogueOf(localeOf(language)))).toHaveLength(named.length);
  });
});

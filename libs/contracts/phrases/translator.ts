import { catalogueOf } from './catalogue.js';
import { englishText } from './phrase.js';
import { renderPhrase, type Phrase, type PhraseCatalogue } from './render.js';

/** Languages with texts, as primary BCP 47 tags. */
export const READER_LANGUAGES = ['de', 'en', 'pl'] as const;

/** Loads the texts of a language; the English ones are part of the program. */
export const catalogues: Readonly<Record<string, () => Promise<PhraseCatalogue>>> = {
  de: async () => catalogueOf((await import('#locales/de.json', { with: { type: 'json' } })).default),
  pl: async () => catalogueOf((await import('#locales/pl.json', { with: { type: 'json' } })).default),
};

/** Returns the text of a phrase of this release in one language. */
export type Translate = (phrase: Phrase) => string;

/**
 * Returns a function that renders phrases in a language; in English for languages without texts.
 *
 * @param language BCP 47 tag, such as `de-AT`
 */
export async function translatorFor(language: string): Promise<Translate> {
  const primary = language.toLowerCase().split('-')[0]!;
  const catalogue = Object.hasOwn(catalogues, primary) ? await catalogues[primary]!() : null;
  if (catalogue === null) return englishText;
  return (phrase) => renderPhrase(catalogue, primary, phrase)!;
}

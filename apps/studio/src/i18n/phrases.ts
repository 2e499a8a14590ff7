import { renderPhrase, type Phrase, type PhraseCatalogue } from '#contracts/phrases/render.js';
import { retryingImport } from '../api/retrying-import';
import type { Language } from './language';

/** Loads the service's texts in a language. The service sends the English ones itself. */
const catalogues: Partial<Record<Language, () => Promise<PhraseCatalogue>>> = {
  de: retryingImport(async () => (await import('#contracts/phrases/de.js')).de),
  pl: retryingImport(async () => (await import('#contracts/phrases/pl.js')).pl),
};

let current: { language: Language; catalogue: PhraseCatalogue } | null = null;

/** Loads the service's texts in the language that `renderText` uses from then on. */
export async function showPhrases(language: Language): Promise<void> {
  const catalogue = await catalogues[language]?.();
  current = catalogue ? { language, catalogue } : null;
}

/** Returns a phrase in the language of the pages, or the service's English text if it has no translation. */
export const renderText = (phrase: Phrase | null | undefined, english: string): string =>
  (phrase && current && renderPhrase(current.catalogue, current.language, phrase)) ?? english;

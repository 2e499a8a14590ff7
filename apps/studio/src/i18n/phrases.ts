import { renderPhrase, type Phrase, type PhraseCatalogue } from '#contracts/phrases/render.js';
import { retryingImport } from '../api/retrying-import';
import { textsOf, type Language } from './language';

/** The service's texts by language. */
const loaded: Partial<Record<Language, PhraseCatalogue>> = {};

/** Loads the service's texts. If they no longer exist, because of a new release, the sent English texts are shown. */
export async function loadPhrases(language: Language): Promise<void> {
  loaded[language] ??= await retryingImport(() => textsOf(language, 'service'))().catch(() => ({}));
}

/** Returns the text of a phrase, or the service's English text if there is none; empty until the texts are loaded. */
export function renderText(language: Language, phrase: Phrase | null | undefined, english: string): string {
  const catalogue = loaded[language];
  if (!phrase) return english;
  return catalogue ? (renderPhrase(catalogue, language, phrase) ?? english) : '';
}

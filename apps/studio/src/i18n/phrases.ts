import { renderPhrase, type Phrase, type PhraseCatalogue } from '#contracts/phrases/render.js';
import { retryingImport } from '../api/retrying-import';
import type { Language } from './language';

type Catalogues = Partial<Record<Language, () => Promise<PhraseCatalogue>>>;

/** Loads the service's texts that any page may show, in a language. The service sends the English ones itself. */
const firstPages: Catalogues = {
  de: retryingImport(async () => (await import('#contracts/phrases/de/first-pages.js')).firstPages),
  pl: retryingImport(async () => (await import('#contracts/phrases/pl/first-pages.js')).firstPages),
};
/** Loads the texts of single pages, when a page shows the first of them. */
const laterPages: Catalogues = {
  de: retryingImport(async () => (await import('#contracts/phrases/de/later-pages.js')).laterPages),
  pl: retryingImport(async () => (await import('#contracts/phrases/pl/later-pages.js')).laterPages),
};

interface Shown {
  language: Language;
  catalogue: PhraseCatalogue;
  /** Whether the texts of single pages are loaded or being loaded. */
  hasMore: boolean;
}

let current: Shown | null = null;
const listeners = new Set<() => void>();

function show(shown: Shown | null): void {
  current = shown;
  for (const listener of listeners) listener();
}

/** Returns the texts in use; another object after each change. */
export const shownPhrases = (): Shown | null => current;

/** Calls the listener when more texts are loaded. @returns function that ends this */
export function onPhrases(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Loads the service's texts in the language that `renderText` uses from then on. */
export async function showPhrases(language: Language): Promise<void> {
  const catalogue = await firstPages[language]?.();
  show(catalogue ? { language, catalogue, hasMore: false } : null);
}

async function loadMore(shown: Shown): Promise<void> {
  shown.hasMore = true;
  const more = await laterPages[shown.language]!();
  if (current === shown) show({ ...shown, catalogue: { ...shown.catalogue, ...more } });
}

/** Returns the text of a phrase in the pages' language; the service's English text if there is none. */
export function renderText(phrase: Phrase | null | undefined, english: string): string {
  if (!phrase || !current) return english;
  const text = renderPhrase(current.catalogue, current.language, phrase);
  // Without them, English texts remain.
  if (text === null && !current.hasMore) loadMore(current).catch(() => undefined);
  return text ?? english;
}

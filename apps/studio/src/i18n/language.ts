import type { PhraseCatalogue } from '#contracts/phrases/render.js';
import de from 'texts:de';
import en from 'texts:en';
import pl from 'texts:pl';
import type { Messages } from './messages';

export const languages = { en: 'English', de: 'Deutsch', pl: 'Polski' } as const;
export type Language = keyof typeof languages;

/** Texts of a language: the messages of the first page, the rest of the messages, and the service's texts. */
interface Texts {
  first: Messages;
  rest: Messages;
  service: PhraseCatalogue;
}

/** Addresses of the texts by language. They are loaded as data when needed; a module would wait for all others. */
const addresses: Record<Language, Record<keyof Texts, string>> = { de, en, pl };

const KEPT = 'scriptorium.language';

/** Returns the language stored in this browser, else the browser's language, which must be supported, or English. */
export function readersLanguage(): Language {
  const kept = localStorage.getItem(KEPT);
  if (kept && kept in languages) return kept as Language;
  const preferred = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return preferred.find((tag): tag is Language => tag in languages) ?? 'en';
}

/** Sets the language of the page and stores it. */
export function keepLanguage(language: Language): void {
  localStorage.setItem(KEPT, language);
  document.documentElement.lang = language;
}

/** @throws Error if they cannot be loaded */
export async function textsOf<Part extends keyof Texts>(
  language: Language,
  part: Part,
): Promise<Texts[Part]> {
  const response = await fetch(addresses[language][part]);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()) as Texts[Part];
}

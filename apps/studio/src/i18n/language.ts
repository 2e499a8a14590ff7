import de from './de.json?url';
import en from './en.json?url';
import pl from './pl.json?url';

export const languages = { en: 'English', de: 'Deutsch', pl: 'Polski' } as const;
export type Language = keyof typeof languages;

/**
 * Addresses of the messages by language. They are loaded as data when needed, because a module would wait for
 * all others.
 */
const messages: Record<Language, string> = { de, en, pl };

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
export async function messagesOf(language: Language): Promise<object> {
  const response = await fetch(messages[language]);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()) as object;
}

import de from 'messages:de';
import en from 'messages:en';
import pl from 'messages:pl';
import type { Messages } from './messages';

export const languages = { en: 'English', de: 'Deutsch', pl: 'Polski' } as const;
export type Language = keyof typeof languages;

/**
 * Addresses of the messages by language: those of the first page, and the rest. They are loaded as data when needed,
 * because a module would wait for all others.
 */
const addresses: Record<Language, Record<'first' | 'rest', string>> = { de, en, pl };

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
export async function messagesOf(language: Language, part: 'first' | 'rest'): Promise<Messages> {
  const response = await fetch(addresses[language][part]);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()) as Messages;
}

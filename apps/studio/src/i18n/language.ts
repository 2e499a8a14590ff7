import en from './en.json?url';
import pl from './pl.json?url';

export const languages = { en: 'English', pl: 'Polski' } as const;
export type Language = keyof typeof languages;

/** The messages of a language are loaded when they are needed; as data, since a module would wait until all others have run. */
const messages: Record<Language, string> = { en, pl };

const KEPT = 'scriptorium.language';

/** The language that was chosen in this browser, else one of the reader's that there are messages in. */
export function readersLanguage(): Language {
  const kept = localStorage.getItem(KEPT);
  if (kept && kept in languages) return kept as Language;
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith('pl')) ? 'pl' : 'en';
}

/** Makes a language that of the page, now and next time. */
export function keepLanguage(language: Language): void {
  localStorage.setItem(KEPT, language);
  document.documentElement.lang = language;
}

/** @throws Error when they cannot be had */
export async function messagesOf(language: Language): Promise<object> {
  const response = await fetch(messages[language]);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()) as object;
}

export const languages = { en: 'English', pl: 'Polski' } as const;
export type Language = keyof typeof languages;

/** The messages of a language are loaded when they are needed. */
const messages: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import('./en.json'),
  pl: () => import('./pl.json'),
};

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

export const messagesOf = async (language: Language): Promise<object> => (await messages[language]()).default;

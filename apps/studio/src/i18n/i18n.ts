import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

export const languages = { en: 'English', pl: 'Polski' } as const;
export type Language = keyof typeof languages;

/** The messages of a language are loaded when they are needed. */
const messages: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import('./en.json'),
  pl: () => import('./pl.json'),
};

const KEPT = 'scriptorium.language';

function initialLanguage(): Language {
  const kept = localStorage.getItem(KEPT);
  if (kept && kept in languages) return kept as Language;
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith('pl')) ? 'pl' : 'en';
}

const language = initialLanguage();
document.documentElement.lang = language;

/** Loads the messages of the reader's language; nothing can be shown before. */
export async function loadMessages(): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: { [language]: { translation: (await messages[language]()).default } },
    lng: language,
    // React escapes what it shows.
    interpolation: { escapeValue: false },
  });
}

/** Shows every page in another language, now and next time. */
export async function changeLanguage(to: Language): Promise<void> {
  localStorage.setItem(KEPT, to);
  document.documentElement.lang = to;
  i18next.addResourceBundle(to, 'translation', (await messages[to]()).default);
  await i18next.changeLanguage(to);
}

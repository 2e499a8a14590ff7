import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from './en.json';
import pl from './pl.json';

export const languages = { en: 'English', pl: 'Polski' } as const;
export type Language = keyof typeof languages;

const KEPT = 'scriptorium.language';

function initialLanguage(): Language {
  const kept = localStorage.getItem(KEPT);
  if (kept && kept in languages) return kept as Language;
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith('pl')) ? 'pl' : 'en';
}

const language = initialLanguage();
document.documentElement.lang = language;

void i18next.use(initReactI18next).init({
  resources: { en: { translation: en }, pl: { translation: pl } },
  lng: language,
  fallbackLng: 'en',
  // React escapes what it shows.
  interpolation: { escapeValue: false },
});

/** Shows every page in another language, now and next time. */
export async function changeLanguage(to: Language): Promise<void> {
  localStorage.setItem(KEPT, to);
  document.documentElement.lang = to;
  await i18next.changeLanguage(to);
}

import { READER_LANGUAGES } from './translator.js';

/** The studio's words for fields and choices of answers, by name. */
export interface StudioWords {
  field: Readonly<Record<string, string>>;
  choice: Readonly<Record<string, string>>;
}

const LOCALES: Record<
  (typeof READER_LANGUAGES)[number],
  () => Promise<{ default: { studio: StudioWords } }>
> = {
  de: () => import('#locales/de.json', { with: { type: 'json' } }),
  en: () => import('#locales/en.json', { with: { type: 'json' } }),
  pl: () => import('#locales/pl.json', { with: { type: 'json' } }),
};

/** Loads the words of a language, for pages that show a form without the studio. */
export async function loadStudioWords(language: string): Promise<StudioWords> {
  const known = READER_LANGUAGES.find((tag) => tag === language) ?? 'en';
  return (await LOCALES[known]()).default.studio;
}

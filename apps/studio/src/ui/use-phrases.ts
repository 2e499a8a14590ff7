import type { Phrase } from '#contracts/phrases/render.js';
import { useEffect } from 'react';
import { showTexts, useTranslation } from '../i18n/i18n';
import { loadPhrases, renderText } from '../i18n/phrases';

/** Returns a function that renders a phrase in the language of the pages, or the English text if it has none. */
export function usePhrases(): (phrase: Phrase | null | undefined, english: string) => string {
  const { language } = useTranslation();
  useEffect(() => {
    // Every page but the first loads them before it is shown.
    void loadPhrases(language).then(showTexts);
  }, [language]);
  return (phrase, english) => renderText(language, phrase, english);
}

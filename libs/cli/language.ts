import { englishText } from '#contracts/phrases/phrase.js';
import { renderPhrase, type Phrase, type PhraseCatalogue } from '#contracts/phrases/render.js';
import { catalogues } from '#contracts/phrases/translator.js';

let current: { language: string; catalogue: PhraseCatalogue } | null = null;

/** Uses the language of the terminal's locale from now on; or English if there are no texts in that language. */
export async function chooseLanguage(environment: NodeJS.ProcessEnv): Promise<void> {
  const language = languageOf(environment);
  const catalogue = await catalogues[language]?.();
  current = catalogue ? { language, catalogue } : null;
}

/** Returns the language of messages as POSIX defines it, such as "de" for `LANG=de_AT.UTF-8`. */
export function languageOf({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string {
  const locale = LC_ALL || LC_MESSAGES || LANG || '';
  const language = locale.split(/[_.@-]/)[0]!.toLowerCase();
  return Object.hasOwn(catalogues, language) ? language : 'en';
}

/** Returns a phrase in the terminal's language, or the English text if it has no translation. */
export const renderText = (phrase: Phrase | null | undefined, english: string): string =>
  (phrase && current && renderPhrase(current.catalogue, current.language, phrase)) ?? english;

/** Returns a text of this program in the terminal's language. */
export const translate = (phrase: Phrase): string => renderText(phrase, englishText(phrase));

/** Formats a number with a fixed number of decimals as the terminal's language does. */
export const formatNumber = (value: number, decimals: number): string =>
  new Intl.NumberFormat(current?.language ?? 'en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value);

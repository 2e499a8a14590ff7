import { english } from './english.js';
import type { Lexicon } from './lexicon.js';
import { polish } from './polish.js';

/**
 * Languages with style rules. Texts in other languages are reviewed with the English rules that do not need
 * vocabulary.
 */
export type StyleLanguage = 'en' | 'pl';

const lexicons: Record<StyleLanguage, Lexicon> = { en: english, pl: polish };

export const lexiconOf = (language: StyleLanguage): Lexicon => lexicons[language];

/** Returns the language with the most function words in a text; English in a tie. */
export function styleLanguageOf(text: string): StyleLanguage {
  // "I" is an English pronoun and a Polish conjunction; it is ignored.
  const words = (text.match(/\p{L}+/gu)?.slice(0, 5_000) ?? [])
    .filter((word) => word !== 'I')
    .map((word) => word.toLowerCase());
  const share = (language: StyleLanguage) => {
    const known = new Set(lexicons[language].functionWords);
    return words.filter((word) => known.has(word) || lexicons[language].ownLetters.test(word)).length;
  };
  return share('pl') > share('en') ? 'pl' : 'en';
}

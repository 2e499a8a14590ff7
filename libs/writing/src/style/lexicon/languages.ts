import { english } from './english.js';
import type { Lexicon } from './lexicon.js';
import { polish } from './polish.js';

/** Languages whose style is known; a text in another one is read with English rules that need no words. */
export const styleLanguages = ['en', 'pl'] as const;
export type StyleLanguage = (typeof styleLanguages)[number];

const lexicons: Record<StyleLanguage, Lexicon> = { en: english, pl: polish };

export const lexiconOf = (language: StyleLanguage): Lexicon => lexicons[language];

/** The language of a text: whose small words it has most of. English when it has none. */
export function styleLanguageOf(text: string): StyleLanguage {
  // The English pronoun is no Polish conjunction.
  const words = (text.match(/\p{L}+/gu)?.slice(0, 5_000) ?? [])
    .filter((word) => word !== 'I')
    .map((word) => word.toLowerCase());
  const share = (language: StyleLanguage) => {
    const known = new Set(lexicons[language].functionWords);
    return words.filter((word) => known.has(word) || lexicons[language].ownLetters.test(word)).length;
  };
  return share('pl') > share('en') ? 'pl' : 'en';
}

import type { Span } from '#contracts/findings.js';
import { lexiconOf, type StyleLanguage } from './lexicon/languages.js';
import type { Prose } from './prose.js';

/** A word or phrase of the author's prose in lower case, with its place. */
interface FoundWord extends Span {
  word: string;
}

const patterns = new Map<StyleLanguage, RegExp>();

function patternOf(language: StyleLanguage): RegExp {
  let pattern = patterns.get(language);
  if (!pattern) {
    const longestFirst = [...lexiconOf(language).connectives].sort((a, b) => b.length - a.length);
    const phrases = longestFirst.map((phrase) => phrase.replaceAll(' ', '\\s'));
    pattern = new RegExp(`(?<!\\p{L})(?:${phrases.join('|')})(?!\\p{L})`, 'giu');
    patterns.set(language, pattern);
  }
  return pattern;
}

/** Returns the connectives of a text, in order. Linear. */
export function connectivesIn({ own }: Prose, language: StyleLanguage): FoundWord[] {
  return Array.from(own.matchAll(patternOf(language)), (match) => ({
    word: match[0].toLowerCase().replace(/\s/g, ' '),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

import type { Fingerprint } from '#contracts/style.js';
import type { Prose } from './prose.js';

const MAX_TERMS = 500;
const MIN_LENGTH = 4;

/** What two ways of writing one term have in common: no capitals, hyphens or accents. */
export const termKey = (term: string): string =>
  term
    .normalize('NFD')
    .replace(/[\p{M}'’-]/gu, '')
    .toLowerCase();

/** Whether a word is written like a name or a technical term: a capital that no sentence begins with, or an inner one, or a hyphen. */
export const looksLikeTerm = (word: string): boolean =>
  /^\p{Lu}/u.test(word) || /\p{Ll}\p{Lu}/u.test(word) || word.includes('-');

/** A word with its place in the text, and whether a sentence or heading begins with it. */
export interface PlacedWord {
  word: string;
  start: number;
  end: number;
  isFirst: boolean;
}

/** The author's own words with their places. */
export function placedWords({ own }: Prose): PlacedWord[] {
  return Array.from(own.matchAll(/\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}+)*/gu), (match) => ({
    word: match[0],
    start: match.index,
    end: match.index + match[0].length,
    isFirst: /(?:^|[.!?:…\n]["”“„«)\]*_\s#>-]*|\n[#>*\s\d.)-]*)$/u.test(
      own.slice(Math.max(0, match.index - 12), match.index),
    ),
  }));
}

/** Names and terms of a corpus with how often each stands there, most frequent first; none that is a common word there, too. */
export function termsOf(proses: Prose[]): Fingerprint['terms'] {
  const counts = new Map<string, number>();
  const common = new Set<string>();
  for (const prose of proses)
    for (const { word, isFirst } of placedWords(prose))
      if (!looksLikeTerm(word)) common.add(word);
      else if (word.length >= MIN_LENGTH && !isFirst) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .filter(([term]) => !common.has(term.toLowerCase()))
    .map(([term, times]) => ({ term, times }))
    .sort((a, b) => b.times - a.times || (a.term < b.term ? -1 : 1))
    .slice(0, MAX_TERMS);
}

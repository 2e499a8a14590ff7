import { isCapitalized, startsSmall } from '#contracts/text.js';
import type { Fingerprint } from '#contracts/style.js';
import { PROSE_WORD, proseWords, type Prose } from './prose.js';

const MAX_TERMS = 500;
const MAX_WORDS = 1_000;
const MIN_LENGTH = 4;
const MAX_LENGTH = 60;

/**
 * Returns the key of a term, which is the same for all its spellings: lower case without spaces, hyphens or
 * accents.
 */
export const termKey = (term: string): string =>
  term
    .replace(/[łŁ]/g, 'l')
    .normalize('NFD')
    .replace(/[\p{M}'’\s-]/gu, '')
    .toLowerCase();

/**
 * Returns whether a word looks like a name or technical term: it has an initial or inner capital, or a
 * hyphen.
 */
export const looksLikeTerm = (word: string): boolean =>
  isCapitalized(word) || hasInnerCapital(word) || word.includes('-');

export const hasInnerCapital = (word: string): boolean => /\p{L}\p{Lu}/u.test(word);

/** A word with its place in the text, and whether it starts a sentence, heading, item or quotation. */
export interface PlacedWord {
  word: string;
  start: number;
  end: number;
  isFirst: boolean;
  inHeading: boolean;
}

/** Abbreviations after which a full stop does not end a sentence. */
const TITLE = /(?:^|[\s(])(?:prof|dr|mgr|inż|np|tzw|ks|św|ul|al|mr|mrs|ms|st|no|vs|gen|sen|rep)\.\s$/iu;

/** Returns whether the next word starts a sentence, heading, item, cell, bracketed note or quotation. */
const startsText = (before: string): boolean =>
  /(?:^|[.!?:…\n|]["”“„«)\]*_\s#>([-]*|\n[#>*\s\d.)([-]*|[[("“„«*_]{1,3})$/u.test(before) &&
  !TITLE.test(before);

/** Returns the author's words with their places. */
export function placedWords({ own, paragraphs }: Prose): PlacedWord[] {
  const headings = paragraphs.filter(({ kind }) => kind === 'heading');
  let next = 0;
  return Array.from(own.matchAll(PROSE_WORD), (match) => {
    const start = match.index;
    while (next < headings.length && headings[next]!.end <= start) next++;
    return {
      word: match[0],
      start,
      end: start + match[0].length,
      isFirst: startsText(own.slice(Math.max(0, start - 12), start)),
      inHeading: next < headings.length && headings[next]!.start <= start,
    };
  });
}

/** Returns the words that the text writes in lower case, outside headings. */
export const smallWords = (prose: Prose): Set<string> =>
  new Set(
    placedWords(prose)
      .filter(({ word, inHeading }) => !inHeading && startsSmall(word))
      .map(({ word }) => word),
  );

/** Returns the names of a text: words always capitalized within its sentences. */
export function frequentNames(prose: Prose): Set<string> {
  const words = placedWords(prose).filter(({ isFirst, inHeading }) => !isFirst && !inHeading);
  const small = smallWords(prose);
  return new Set(
    words.map(({ word }) => word).filter((word) => isCapitalized(word) && !small.has(word.toLowerCase())),
  );
}

/**
 * Returns the names and terms of a corpus with their frequencies, most frequent first, except words that are also
 * common there. `alone` counts occurrences without an adjacent capitalized word, unlike in "Larkfield Parcel".
 */
export function termsOf(proses: Prose[]): Fingerprint['terms'] {
  const counts = new Map<string, { times: number; alone: number }>();
  const common = new Set<string>();
  for (const prose of proses) {
    const words = placedWords(prose);
    words.forEach(({ word, isFirst, inHeading }, index) => {
      if (!looksLikeTerm(word)) common.add(word);
      else if (
        word.length >= MIN_LENGTH &&
        word.length <= MAX_LENGTH &&
        !isFirst &&
        (!inHeading || hasInnerCapital(word))
      ) {
        const counted = counts.get(word) ?? { times: 0, alone: 0 };
        counted.times++;
        if (![words[index - 1], words[index + 1]].some((beside) => beside && isBeside(words[index]!, beside)))
          counted.alone++;
        counts.set(word, counted);
      }
    });
  }
  const single = [...counts]
    .filter(([term]) => !common.has(term.toLowerCase()))
    .map(([term, counted]) => ({ term, ...counted }));
  return [...single, ...namesOf(proses)]
    .sort((a, b) => b.times - a.times || (a.term < b.term ? -1 : 1))
    .slice(0, MAX_TERMS);
}

const isBeside = (word: PlacedWord, other: PlacedWord): boolean =>
  isCapitalized(other.word) &&
  Math.min(Math.abs(other.start - word.end), Math.abs(word.start - other.end)) <= 1;

/** Returns names of two to four words in a corpus, such as "Larkfield Parcel". */
function namesOf(proses: Prose[]): Fingerprint['terms'] {
  const counts = new Map<string, number>();
  const add = (run: string[]) => {
    const name = run.join(' ');
    if (run.length >= 2 && run.length <= 4 && name.length <= MAX_LENGTH)
      counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const prose of proses) {
    let run: string[] = [];
    let end = -1;
    for (const word of placedWords(prose)) {
      const isPart = isCapitalized(word.word) && !word.isFirst && !word.inHeading;
      if (!isPart || word.start !== end + 1) {
        add(run);
        run = [];
      }
      if (isPart) run.push(word.word);
      end = word.end;
    }
    add(run);
  }
  const seen = casesOf(proses, new Set([...counts.keys()].map((name) => name.toLowerCase())));
  return [...counts]
    .filter(([term, times]) => {
      const cases = seen.get(term.toLowerCase()) ?? [];
      return times > 1 && cases.filter((one) => one === term).length >= cases.length * 0.8;
    })
    .map(([term, times]) => ({ term, times, alone: times }));
}

/** Returns all spellings of each name in a corpus, one entry per occurrence. */
function casesOf(proses: Prose[], names: Set<string>): Map<string, string[]> {
  const seen = new Map<string, string[]>();
  for (const { own } of proses) {
    const words = proseWords(own);
    words.forEach((_, index) => {
      for (const length of [2, 3, 4]) {
        const name = words.slice(index, index + length).join(' ');
        const small = name.toLowerCase();
        if (!names.has(small)) continue;
        const cases = seen.get(small);
        if (cases) cases.push(name);
        else seen.set(small, [name]);
      }
    });
  }
  return seen;
}

/** Returns the lower-case words of a corpus, most frequent first. */
export function vocabularyOf(proses: Prose[]): Fingerprint['vocabulary'] {
  const counts = new Map<string, number>();
  for (const prose of proses)
    for (const { word } of placedWords(prose))
      if (word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && word === word.toLowerCase())
        counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .map(([word, times]) => ({ word, times }))
    .sort((a, b) => b.times - a.times || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_WORDS);
}

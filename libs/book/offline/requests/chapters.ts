import type { OutlinedChapter } from '../../graph/ports.js';
import type { RequestPatterns } from './language.js';

/** The outline to which requests refer, and their language. */
interface Known {
  chapters: OutlinedChapter[];
  language: RequestPatterns;
}

const MAX_RANGE = 20;

/** Finds the chapter that words name (a number, an ordinal, "the last chapter" or a title), or returns null. */
export function chapterNamed(words: string, known: Known): number | null {
  const { chapters, language } = known;
  const text = unquoted(words.trim());
  const titled = (title: string) => chapters.find((chapter) => chapter.title.toLowerCase() === title);
  const byTitle = titled(text.toLowerCase());
  if (byTitle) return byTitle.number;
  const bare = unquoted(
    text
      .toLowerCase()
      .replace(language.determiners, '')
      .replace(language.noun, '')
      .replace(/^#|\.$/g, ''),
  );
  if (language.last.test(bare)) return chapters.at(-1)?.number ?? null;
  const number = /^\d{1,3}(?:st|nd|rd|th)?$/.test(bare)
    ? Number.parseInt(bare, 10)
    : spelledNumber(bare, known);
  if (number > 0) return number;
  return (titled(bare) ?? chapterAbout(bare.replace(language.about, ''), chapters))?.number ?? null;
}

const unquoted = (text: string): string => text.replace(/^["“„«»]|["”“«»]$/gu, '');

/** Returns the number that a word spells; 0 for another word. */
const spelledNumber = (word: string, { language: { numbers, ordinals } }: Known): number =>
  Math.max(
    numbers.indexOf(word),
    ordinals.findIndex((ordinal) => ordinal.test(word)),
  ) + 1;

/** Returns the numbers of a list such as "2, 3 and 4" or "the last two chapters"; null if any part is unknown. */
export function chaptersNamed(words: string, known: Known): number[] | null {
  const { language, chapters } = known;
  const several = language.several.exec(words)?.groups;
  const spelled = several?.['before'] ?? several?.['after'];
  if (spelled !== undefined) return atEdge(spelled.toLowerCase(), several?.['first'] !== undefined, known);
  const whole = chapterNamed(words, known);
  if (whole !== null) return [whole];
  const range = language.range.exec(words);
  if (range) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    return from < to && to - from < MAX_RANGE
      ? Array.from({ length: to - from + 1 }, (_, i) => from + i)
      : null;
  }
  const named = words.split(language.list).map((part) => chapterNamed(part, { language, chapters }));
  return named.length > 1 && named.every((number) => number !== null) ? named : null;
}

/** Returns the first or last chapters: `the last two chapters`. */
function atEdge(spelled: string, isFirst: boolean, known: Known): number[] | null {
  // Other words, such as "both", mean two.
  const count = Number(spelled) || spelledNumber(spelled, known) || 2;
  const numbers = known.chapters.map(({ number }) => number);
  if (count > numbers.length) return null;
  return isFirst ? numbers.slice(0, count) : numbers.slice(-count);
}

/** Finds the one chapter whose title has all words of a subject, in any form: `the chapter on storms`. */
function chapterAbout(subject: string, chapters: OutlinedChapter[]): OutlinedChapter | undefined {
  const words = wordsOf(subject);
  if (words.length === 0 || subject.length < 3) return undefined;
  const having = (isSame: (a: string, b: string) => boolean) =>
    chapters.filter(({ title }) => {
      const found = wordsOf(title);
      return words.every((word) => found.some((other) => isSame(word, other)));
    });
  const exact = having((a, b) => a === b);
  const found = exact.length > 0 ? exact : having(isInflected);
  return found.length === 1 ? found[0] : undefined;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const STEM = 4;
const MAX_ENDING = 3;

/** Returns whether two words may be forms of one word: `burze` and `burzach`. */
function isInflected(a: string, b: string): boolean {
  const shared = [...a].findIndex((letter, i) => letter !== b[i]);
  const stem = shared < 0 ? a.length : shared;
  return stem >= STEM && a.length - stem <= MAX_ENDING && b.length - stem <= MAX_ENDING;
}

/**
 * Returns the number of the chapter before a place; 0 for the beginning, null if the place is unknown.
 *
 * @param moved the chapter to be moved; null for a new one
 */
export function placeAfter(place: string, moved: number | null, known: Known): number | null {
  for (const [name, pattern] of known.language.places) {
    const found = pattern.exec(place);
    if (!found) continue;
    if (name === 'first') return 0;
    if (name === 'last') return known.chapters.length;
    if (name === 'up' || name === 'down') return moved === null ? null : shifted(moved, name, known.chapters);
    const number = chapterNamed(found.groups?.['chapter'] ?? '', known);
    if (number === null) return null;
    return name === 'before' ? number - 1 : number;
  }
  return null;
}

/** Returns the number after which a chapter comes one place earlier or later; null at the edge. */
function shifted(moved: number, direction: 'up' | 'down', chapters: OutlinedChapter[]): number | null {
  const after = direction === 'up' ? moved - 2 : moved + 1;
  return after < 0 || after > chapters.length ? null : after;
}

/** Words of a text, found again in inflected forms (`Jana Kowalskiego`). */
export interface KnownWords {
  has(word: string): boolean;
  /** Whether a word of about the same length begins with the same three letters, as `Paryż` and `Paris` do. */
  hasBeginning(word: string): boolean;
}

const LONGEST_ENDING = 5;
/** Difference in length of two spellings of a name. */
const LIKE_LENGTH = 2;

/** Indexes the words of a text. */
export function knownWords(text: string): KnownWords {
  const byStart = new Map<string, Set<string>>();
  for (const word of text.match(/\p{L}{2,}/gu) ?? []) {
    const plain = folded(word);
    const start = plain.slice(0, 2);
    const words = byStart.get(start) ?? new Set();
    byStart.set(start, words.add(plain));
  }
  const hasPart = (part: string) => {
    const plain = folded(part);
    const stem = stemOf(plain);
    const words = byStart.get(plain.slice(0, 2)) ?? new Set<string>();
    if (words.has(plain)) return true;
    return [...words].some(
      (word) =>
        (word.startsWith(stem) &&
          word.length - stem.length <= LONGEST_ENDING &&
          endsAlike(word, plain, stem)) ||
        (word.startsWith(plain) && INFLECTION.test(word.slice(plain.length))),
    );
  };
  const hasBeginning = (name: string) => {
    const plain = folded(name);
    const start = plain.slice(0, 3);
    return [...(byStart.get(start.slice(0, 2)) ?? [])].some(
      (word) => word.startsWith(start) && Math.abs(word.length - plain.length) <= LIKE_LENGTH,
    );
  };
  return {
    hasBeginning,
    has: (name) =>
      name
        .split(/[-’'\s]/)
        .filter((part) => part.length > 1)
        .every(hasPart),
  };
}

/** The beginning of a word without its possible ending. */
const stemOf = (word: string): string =>
  word.length > 5 ? word.slice(0, Math.max(4, word.length - 3)) : word.slice(0, Math.max(3, word.length - 1));

/** Short words are alike only if what follows their common beginning is an ending. */
const endsAlike = (word: string, other: string, stem: string): boolean =>
  other.length > 5 || [word, other].every((form) => INFLECTION.test(form.slice(stem.length)));
const INFLECTION = /^(?:|s|es|a|u|e|y|i|o|k|owi|ie|iem|em|om|ami|ach|n|en|er|ego|emu|z|zi|zia|zie)$/u;

/** Returns the word in lower case without diacritics. */
const folded = (word: string): string =>
  word.toLowerCase().replaceAll('ł', 'l').normalize('NFD').replace(/\p{M}/gu, '');

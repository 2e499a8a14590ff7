/** Letters of scripts that are written without spaces between words. */
const UNSPACED =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}/u;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu;
/** Longer sequences are not words that people type, but hashes, tokens or lines of base64. */
const MAX_WORD_LENGTH = 64;

/**
 * Returns the words of a text in lower case, in the order of the text. The text is normalized to NFKC, so
 * that full-width and compatibility forms match the plain ones. Scripts without spaces (Chinese, Japanese,
 * Thai …) yield overlapping pairs of characters.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [found] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    const word = found.replaceAll('’', "'");
    if (UNSPACED.test(word)) words.push(...pairsOf(word));
    else if (word.length <= MAX_WORD_LENGTH) words.push(word);
  }
  return words;
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => characters[at]! + character);
}

/** Number of words whose results are cached. */
const MAX_CACHED_WORDS = 50_000;

/** Caches the results of a function of words, because most words of a text are frequent ones. */
export function cachedByWord<T>(find: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>();
  return (word) => {
    let found = known.get(word);
    if (found === undefined) {
      found = find(word);
      if (known.size >= MAX_CACHED_WORDS) known.clear();
      known.set(word, found);
    }
    return found;
  };
}

/** Letters with a stroke, which Unicode decomposition does not remove. */
const STROKES: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

/** Removes diacritics from a word, to match the spelling of people whose keyboard lacks them. */
function foldWord(word: string): string {
  // Most words are ASCII; this check is cheaper than the normalization.
  if (/^[\x00-\x7f]*$/.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[łøđħŧıßæœ]/g, (letter) => STROKES[letter]!);
}

/**
 * Returns the distinct character trigrams of a word with a space at each edge: `cat` yields ` ca`, `cat` and
 * `at `. Inflected or mistyped forms of a word share most of them.
 */
export function trigramsOf(word: string): string[] {
  const padded = [' ', ...foldWord(word), ' '];
  const grams: string[] = [];
  for (let at = 0; at + 3 <= padded.length; at++) {
    const gram = padded[at]! + padded[at + 1]! + padded[at + 2]!;
    if (!grams.includes(gram)) grams.push(gram);
  }
  return grams;
}

/** Letters of scripts that are written without blanks between words. */
const UNSPACED =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}/u;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu;
/** What is longer is no word that anybody types: a hash, a token, a line of base 64. */
const MAX_WORD_LENGTH = 64;

/**
 * The words of a text in lower case, in the order of the text (NFKC, so that full-width and compatibility forms are found by the
 * plain ones). Runs of a script without blanks (Chinese, Japanese, Thai …) come as overlapping pairs of characters.
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

/** Letters that have a stroke, which no Unicode decomposition takes away. */
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

/** A word without its diacritics: how people type it who have no such key. */
export function foldWord(word: string): string {
  // Most words have none, and the check costs less than what follows.
  if (/^[\x00-\x7f]*$/.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[łøđħŧıßæœ]/g, (letter) => STROKES[letter]!);
}

/**
 * The character trigrams of a word, its edges marked by a blank: `cat` has ` ca`, `cat` and `at `. What inflection or a typing
 * error leaves of a word still shares most of them.
 */
export function trigramsOf(word: string): string[] {
  const padded = [' ', ...foldWord(word), ' '];
  const grams: string[] = [];
  for (let at = 0; at + 3 <= padded.length; at++) grams.push(padded[at]! + padded[at + 1]! + padded[at + 2]!);
  return grams;
}

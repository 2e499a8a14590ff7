/** Marks of direction; the words between them belong to different lines of writing. */
const DIRECTION = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const ACCENTS = /\p{M}|[\u00a8\u00af\u00b4\u00b8\u02c6\u02c7\u02d8-\u02dd]/gu;
/** Longest word whose letters may be in another order, as in formulas, and how far apart they may then be. */
const MAX_FORMULA_LENGTH = 8;
const SPREAD = 5;

/**
 * Returns a text in which spellings that differ between readers are equal: accents, and compatibility forms of letters.
 */
const plain = (text: string): string =>
  text.replace(DIRECTION, ' ').replace(ACCENTS, '').normalize('NFKD').replace(ACCENTS, '').normalize('NFC');

/** The words of an extracted text, to check whether it has the words that another program reads. */
export class FoundWords {
  private readonly letters: string;
  private readonly known = new Map<string, boolean>();
  /** Words next to angle brackets, because pdftotext returns TeX's brackets as `h` and `i`. */
  private readonly bracketed: boolean;
  /** Number of letters that the text reports without their characters. */
  readonly unnamed: number;

  constructor(text: string) {
    this.letters = plain(text).replace(/[^\p{L}\p{N}]+/gu, '');
    this.bracketed = /[\u2329\u27e8\u3008]/.test(text);
    this.unnamed = [...text.matchAll(/letters that the file does not map to characters: (\d+)/g)]
      .map(([, count]) => Number(count))
      .reduce((sum, count) => sum + count, 0);
  }

  /** Returns the words of a line that occur nowhere in the text. Letters and figures count apart: a program may join a word and the number of a note. A single Latin letter, also repeated, does not count: programs show them for signs of formulas. */
  missingOf(line: string): string[] {
    const words = plain(line).match(/\p{L}+|\p{N}+/gu) ?? [];
    return words.filter((word) => !/^([A-Za-z])\1*$/.test(word) && !this.has(word));
  }

  private has(word: string): boolean {
    const known = this.known.get(word);
    if (known !== undefined) return known;
    const forms = [word, ...(this.bracketed ? withoutBrackets(word) : [])];
    const found = forms.some((form) => this.letters.includes(form) || this.isFormula(form));
    this.known.set(word, found);
    return found;
  }

  private isFormula(word: string): boolean {
    const letters = [...word];
    if (letters.length > MAX_FORMULA_LENGTH) return false;
    const window = word.length + SPREAD;
    for (
      let at = this.letters.indexOf(letters[0]!);
      at >= 0;
      at = this.letters.indexOf(letters[0]!, at + 1)
    ) {
      const near = [...this.letters.slice(Math.max(0, at - window), at + window)];
      if (letters.every((letter) => takeFrom(near, letter))) return true;
    }
    return false;
  }
}

/** Returns the forms of a word without an `h`, an `i`, or an `h` and a later `i`. */
function withoutBrackets(word: string): string[] {
  const [opening, closing] = [positionsOf(word, 'h'), positionsOf(word, 'i')];
  const without = (...at: number[]) => [...word].filter((_, index) => !at.includes(index)).join('');
  return [
    ...[...opening, ...closing].map((at) => without(at)),
    ...opening.flatMap((from) => closing.filter((to) => to > from).map((to) => without(from, to))),
  ].filter((form) => form !== '');
}

const positionsOf = (word: string, letter: string): number[] =>
  [...word].flatMap((each, at) => (each === letter ? [at] : []));

function takeFrom(letters: string[], letter: string): boolean {
  const at = letters.indexOf(letter);
  if (at >= 0) letters.splice(at, 1);
  return at >= 0;
}

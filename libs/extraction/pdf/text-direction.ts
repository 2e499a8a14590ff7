/** Kind of a text by its direction: of right-to-left scripts, of left-to-right scripts, a number, or anything else, such as a bracket. */
export type TextDirection = 'toLeft' | 'toRight' | 'number' | 'none';

const TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;
const TO_LEFT_LETTERS = /(?=\p{L})[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/gu;
const PRESENTATION_FORMS = /[\uFB1D-\uFDFF\uFE70-\uFEFC]+/g;

/** Returns the direction of the first kind that the text contains, in the order of `TextDirection`. */
export function directionOf(text: string): TextDirection {
  if (TO_LEFT.test(text) && text.search(TO_LEFT_LETTERS) >= 0) return 'toLeft';
  if (/\p{L}/u.test(text)) return 'toRight';
  return /\p{N}/u.test(text) ? 'number' : 'none';
}

/** Returns whether a text contains letters of right-to-left scripts. */
export const hasLettersToLeft = (text: string): boolean =>
  TO_LEFT.test(text) && directionOf(text) === 'toLeft';

/** Returns the numbers of letters of right-to-left scripts and of Latin letters. */
export function countLetters(texts: readonly { text: string }[]): { toLeft: number; toRight: number } {
  const text = texts.map((each) => each.text).join('');
  return {
    toLeft: text.match(TO_LEFT_LETTERS)?.length ?? 0,
    toRight: text.match(/[A-Za-z]/g)?.length ?? 0,
  };
}

/** Returns whether most letters of texts belong to right-to-left scripts. */
export function runsToLeft(texts: readonly { text: string }[]): boolean {
  const { toLeft, toRight } = countLetters(texts);
  return toLeft > toRight;
}

/** Replaces the shapes of letters that fonts use within words by the letters; some shapes have a blank or a stroke below a mark. */
export const withoutShapes = (text: string): string =>
  text.replace(PRESENTATION_FORMS, (shapes) =>
    shapes.normalize('NFKC').replace(/[ \u0640](?=[\u064b-\u0652])/g, ''),
  );

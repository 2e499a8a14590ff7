/** Kind of a text by its direction: of right-to-left scripts, of left-to-right scripts, a number, or anything else, such as a bracket. */
type TextDirection = 'toLeft' | 'toRight' | 'number' | 'none';

const TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;
const TO_LEFT_LETTERS = /(?=\p{L})[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/gu;
const PRESENTATION_FORMS = /[\uFB1D-\uFDFF\uFE70-\uFEFC]+/g;

/** Returns the direction of the first kind that the text contains, in the order of `TextDirection`. */
function directionOf(text: string): TextDirection {
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

/** Returns whether a text and a letter drawn next to it run in one direction; each number, mark and sign has its own. */
export function isOfOneDirection(text: string, letter: string): boolean {
  return /^\p{M}+$/u.test(letter) || /^\p{M}+$/u.test(text) || directionOf(text) === directionOf(letter);
}

/**
 * Adds a letter to a text that is drawn from left to right. The text is in reading order: a letter of a right-to-left script comes before the
 * letters to its left.
 */
export function addLetters(text: string, letter: string, blank = ''): string {
  const own = withoutShapes(letter);
  return directionOf(text + own) === 'toLeft' ? own + blank + text : text + blank + own;
}

/** Text within a line, of one direction. */
interface Token {
  text: string;
  direction: TextDirection;
}

const BRACKETS = '()[]{}<>«»‹›⟨⟩≤≥';
/** Characters within a number and next to one, without a blank. */
const SEPARATOR = /^[.,:/'’\u066b\u066c\u00a0]$/;
const SIGN = /^[-+\u2212\u00b1]$/;
const AFTER_NUMBER = /^[%‰°\p{Sc}]$/u;
const BEFORE_NUMBER = /^[#\p{Sc}]$/u;
/** Latin units that follow their numbers: before letters that run to the left, `EUR 640` on the page is `640 EUR`. */
const UNIT =
  /^(?:EUR|USD|GBP|CHF|ILS|NIS|JPY|CNY|INR|PLN|CZK|SEK|NOK|DKK|HUF|TRY|RUB|CAD|AUD|AED|SAR|QAR|KWD|BHD|OMR|JOD|EGP|MAD|[kcmµμn]?[mg]|[mcd]?l|[kMGT]i?B|[kMGT]?bit|[kMG]?Hz|[kMG]?Wh?|[mk]?[VA]|[kM]?Pa|kcal|ppm|rpm)$/;
const ARABIC = /[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/;
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/;

/**
 * Returns a line in reading order. In a line of both directions the pieces of the other direction, and numbers, run against the line.
 *
 * @param texts texts of one direction each, as they are drawn from left to right, with the blanks between them
 * @param toLeft whether the line runs from right to left
 */
export function inReadingDirection(texts: readonly string[], toLeft: boolean): string {
  const tokens = texts.flatMap(tokensOf);
  if (toLeft) return fromTheRight(tokens);
  let line = '';
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.direction !== 'toLeft') {
      line += token.text;
      continue;
    }
    let end = at;
    for (let next = at; next < tokens.length && tokens[next]!.direction !== 'toRight'; next++)
      if (tokens[next]!.direction === 'toLeft') end = next;
    line += fromTheRight(tokens.slice(at, end + 1));
    at = end;
  }
  return line;
}

/** Parts text without letters into its characters, since each may have its own place. */
function tokensOf(text: string): Token[] {
  const direction = directionOf(text);
  if (direction !== 'none') return [{ text, direction }];
  return [...text].map((character) => ({ text: character, direction }));
}

/** Reads from the last token to the first; text that runs from left to right stays in its order. */
function fromTheRight(tokens: readonly Token[]): string {
  let line = '';
  for (let at = tokens.length - 1; at >= 0; at--) {
    const { text, direction } = tokens[at]!;
    const from = startOf(tokens, at);
    if (from < at) line += fromTheLeft(tokens, from, at);
    else line += direction === 'none' && showsSide(tokens, at) ? mirrored(text) : text;
    at = from;
  }
  return line;
}

/** Returns the text of tokens that run from left to right. */
function fromTheLeft(tokens: readonly Token[], from: number, to: number): string {
  const number = tokens[to]!.direction === 'number' ? startOfNumber(tokens, to) : to + 1;
  const textOf = (first: number, end: number) =>
    tokens
      .slice(first, end)
      .map(({ text }) => text)
      .join('');
  const before = textOf(from, number);
  return UNIT.test(before.trim())
    ? textOf(number, to + 1) + before.slice(before.trimEnd().length) + before.trimEnd()
    : before + textOf(number, to + 1);
}

/** Returns the first token of the left-to-right text that ends at `end`, or `end` if no such text ends there. */
function startOf(tokens: readonly Token[], end: number): number {
  const { direction } = tokens[end]!;
  const from = direction === 'toRight' || direction === 'number' ? startOfWords(tokens, end) : null;
  if (from !== null) return from;
  const isNumber =
    direction === 'number' ||
    (AFTER_NUMBER.test(tokens[end]!.text) &&
      tokens[end - 1]?.direction === 'number' &&
      !isAfterArabic(tokens, end));
  return isNumber ? startOfNumber(tokens, end) : end;
}

/** Returns the first token of words from left to right, which may have numbers among them; null without a word. */
function startOfWords(tokens: readonly Token[], end: number): number | null {
  let [from, hasWord] = [end, false];
  for (let at = end; at >= 0 && tokens[at]!.direction !== 'toLeft'; at--) {
    const { direction } = tokens[at]!;
    if (direction === 'none') continue;
    hasWord ||= direction === 'toRight';
    from = at;
  }
  return hasWord ? from : null;
}

/** Returns the first token of a number with its separators, its sign and its unit. */
function startOfNumber(tokens: readonly Token[], end: number): number {
  // In Arabic, a dash separates two numbers.
  const isArabic = isAfterArabic(tokens, end);
  const isNumber = (at: number) => tokens[at]?.direction === 'number';
  let from = end;
  for (; from > 0; from--) {
    const { text } = tokens[from - 1]!;
    const isWithin = isNumber(from - 2) && isNumber(from);
    const isJoined =
      isNumber(from - 1) ||
      (isWithin && (SEPARATOR.test(text) || (!isArabic && SIGN.test(text)))) ||
      (!isArabic && BEFORE_NUMBER.test(text) && isNumber(from)) ||
      (SIGN.test(text) && isNumber(from) && /^[\s([]?$/.test(tokens[from - 2]?.text ?? ''));
    if (!isJoined) break;
  }
  return from;
}

/** Returns whether the letters before a number are Arabic, or its digits. */
function isAfterArabic(tokens: readonly Token[], number: number): boolean {
  if (ARABIC_DIGITS.test(tokens[number]!.text)) return true;
  for (let at = number + 1; at < tokens.length; at++) {
    const { text, direction } = tokens[at]!;
    if (direction === 'toLeft') return ARABIC.test(text);
    if (direction === 'toRight') return false;
  }
  return false;
}

/**
 * Returns whether a bracket is stored as the page shows it and not as it was typed (mirrored): programs write
 * either. A bracket opens or closes the word next to it.
 */
function showsSide(tokens: readonly Token[], at: number): boolean {
  const isWord = (token: Token | undefined) => token !== undefined && token.direction !== 'none';
  const [isAfter, isBefore] = [isWord(tokens[at - 1]), isWord(tokens[at + 1])];
  const opens = BRACKETS.indexOf(tokens[at]!.text) % 2 === 0;
  return isAfter === isBefore || opens === isBefore;
}

function mirrored(character: string): string {
  const at = BRACKETS.indexOf(character);
  return at < 0 ? character : BRACKETS[at ^ 1]!;
}

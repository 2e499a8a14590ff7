import type { PdfItem } from './pdfjs.js';
import type { ShownGlyph } from './read-drawing.js';
import { type Rule, RuleIndex } from './rules.js';
import { addLetters, hasLettersToLeft, isOfOneDirection, withoutShapes } from './text-direction.js';

/** Minimum gap that counts as a blank, maximum gap within a run, and maximum step back. */
const BLANK = 0.13;
const LARGEST_GAP = 0.6;
const STEP_BACK = 0.3;
/** Height of a rule that strikes letters through, above the baseline. All these are relative to the font size. */
const STRIKE_FROM = 0.14;
const STRIKE_TO = 0.48;

/** Distance of the rule of a root from its sign, and height of the rule above the baseline of the sign; relative to the font size. */
const RADICAL_GAP = 0.3;
const RADICAL_HEIGHT = 2;
const MOST_RADICALS = 500;

/** Text item under construction, like the items of pdf.js, with the position of its letters. */
interface OpenRun {
  item: PdfItem;
  /** Unit vector of the direction. */
  direction: readonly [number, number];
  size: number;
  /** Distance from the origin of the run to the end of its last letter. */
  end: number;
  rise: number;
}

/**
 * Joins the letters of a page to runs. A run ends at a wide gap, at another line, font or height above the
 * line, at a vertical rule, with its marked text, and where letters begin or cease to be struck through.
 *
 * @param rules thin lines of the page
 * @param hasLettersToLeft whether runs also end where the direction of the letters changes
 */
export function joinGlyphs(
  glyphs: readonly ShownGlyph[],
  rules: readonly Rule[],
  hasLettersToLeft: boolean,
): PdfItem[] {
  const items: PdfItem[] = [];
  const [strikes, borders] = [
    new RuleIndex(withoutRadicals(rules, glyphs), true),
    new RuleIndex(rules, false),
  ];
  const tracking = trackingOf(glyphs);
  let run: OpenRun | null = null;
  for (const glyph of glyphs) {
    const struck = isStruck(glyph, strikes);
    const isAlike: boolean =
      run !== null &&
      run.item.struck === struck &&
      run.item.mark === glyph.mark &&
      (!hasLettersToLeft || isOfOneDirection(run.item.str, glyph.text));
    const gap: number | null = run && isAlike ? gapBetween(run, glyph, borders, tracking) : null;
    if (run === null || gap === null) {
      run = openRun(glyph, struck);
      if (hasLettersToLeft) run.item.str = addLetters('', glyph.text);
      items.push(run.item);
      continue;
    }
    const isMark = /^\p{M}/u.test(glyph.text);
    const blank = !isMark && (glyph.afterBlank || gap > BLANK * run.size) ? ' ' : '';
    run.item.str = hasLettersToLeft
      ? addLetters(run.item.str, glyph.text, blank)
      : run.item.str + blank + glyph.text;
    run.end = Math.max(run.end, placeOn(run, glyph)[0] + glyph.width);
    run.item.width = run.end;
  }
  return items;
}

/** Returns the rules except those of roots, which begin at the upper right end of the sign and pass above letters that are not struck. */
function withoutRadicals(rules: readonly Rule[], glyphs: readonly ShownGlyph[]): readonly Rule[] {
  const signs = glyphs.filter(({ text }) => text === '√').slice(0, MOST_RADICALS);
  if (signs.length === 0) return rules;
  return rules.filter(
    ({ x, y }) =>
      !signs.some(({ transform: [a, , , , signX, signY], width }) => {
        const isAtEnd = Math.abs(x - signX - width) < a * RADICAL_GAP;
        return isAtEnd && y > signY && y < signY + a * RADICAL_HEIGHT;
      }),
  );
}

function openRun({ text, transform, width, font, rise, mark }: ShownGlyph, struck: boolean): OpenRun {
  const [a, b] = transform;
  const size = Math.hypot(a, b);
  const item: PdfItem = {
    str: text,
    transform: [...transform],
    width,
    fontName: font,
    hasEOL: false,
    struck,
    mark,
  };
  if (rise !== 0) item.rise = rise;
  return { item, direction: size > 0 ? [a / size, b / size] : [1, 0], size, end: width, rise };
}

/** Returns the distance from the end of a run to a letter; null if the letter does not continue the run. */
function gapBetween(
  run: OpenRun,
  glyph: ShownGlyph,
  borders: RuleIndex,
  tracking: ReadonlyMap<string, number>,
): number | null {
  const { item, size, end } = run;
  const [a, b, , , x, y] = glyph.transform;
  if (glyph.font !== item.fontName || glyph.rise !== run.rise) return null;
  if (Math.abs(a - item.transform[0]!) + Math.abs(b - item.transform[1]!) > size * 0.02) return null;
  const [along, across] = placeOn(run, glyph);
  // Letters farther apart than their size are words of their own, such as cells of a row.
  const gap = along - end - Math.min(tracking.get(spacingKey(glyph)) ?? 0, size);
  if (Math.abs(across) > size * 0.05 || gap < -size * STEP_BACK || gap > size * LARGEST_GAP) return null;
  const isLevel = Math.abs(run.direction[1]) < 0.01;
  if (isLevel && gap > size * 0.1 && borders.has(x - gap - 0.5, x + 0.5, y + size * 0.3)) return null;
  return gap;
}

const spacingKey = ({ font, spacing }: ShownGlyph): string => `${font} ${spacing}`;

/**
 * Returns the usual gap between letters by font and letter spacing. Some programs set a letter spacing and undo it
 * letter by letter, so the gap is measured.
 */
function trackingOf(glyphs: readonly ShownGlyph[]): Map<string, number> {
  const gaps = new Map<string, number[]>();
  for (const [at, glyph] of glyphs.entries()) {
    const before = glyphs[at - 1];
    if (!before || glyph.spacing <= 0) continue;
    const [key, gap] = [spacingKey(glyph), stepFrom(before, glyph) - before.width];
    if (spacingKey(before) !== key || glyph.afterBlank || gap < -glyph.spacing) continue;
    const own = gaps.get(key);
    if (own) own.push(Math.max(0, gap));
    else gaps.set(key, [Math.max(0, Math.min(glyph.spacing, gap))]);
  }
  return new Map(
    [...gaps].map(([key, own]) => {
      // A spacing that parts two letters of the page only is a gap between words.
      const usual = own.length < 2 ? 0 : own.sort((a, b) => a - b)[Math.floor(own.length / 4)]!;
      return [key, Math.min(usual, Number(key.slice(key.indexOf(' ') + 1)))];
    }),
  );
}

const stepFrom = ({ transform: from }: ShownGlyph, { transform: to }: ShownGlyph): number =>
  Math.hypot(to[4] - from[4], to[5] - from[5]);

/** Returns the position of a letter relative to the origin of a run: along the line and across it. */
function placeOn({ item, direction: [cos, sin] }: OpenRun, { transform }: ShownGlyph): [number, number] {
  const [dx, dy] = [transform[4] - item.transform[4]!, transform[5] - item.transform[5]!];
  return [dx * cos + dy * sin, dy * cos - dx * sin];
}

function isStruck({ transform: [a, b, , , x, y], width }: ShownGlyph, strikes: RuleIndex): boolean {
  if (a <= 0 || Math.abs(b) > a * 0.01) return false;
  return strikes.has(y + a * STRIKE_FROM, y + a * STRIKE_TO, x + width / 2);
}

/** Letters, or a run of them, with place and size in points. */
interface Placed {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
}

/** Largest distance between two drawings of the same letter and the same words, relative to the font size. */
const LETTER_TWICE = 0.15;
const WORDS_TWICE = 0.3;
/** Shortest words that count as drawn twice when they only overlap; figures of a table may be that close. */
const LEAST_WORDS = 4;
/** Edge of the squares by which places are compared, in points. */
const SQUARE = 24;
/** Most entries of a square that are compared. */
const MOST_COMPARED = 16;

/**
 * Removes letters that repeat the same letter at nearly the same place, which files draw for bold letters and
 * shadows. A word that repeats other letters in part overlaps by chance and stays.
 */
export function withoutRepeatedLetters(glyphs: readonly ShownGlyph[]): ShownGlyph[] {
  const places = glyphs.map(({ text, transform: [a, b, , , x, y], width }): Placed => {
    return { text, x, y, width, size: Math.hypot(a, b) };
  });
  const twins = twinsOf(places, LETTER_TWICE);
  const doubled = new Set<number>();
  twins.forEach((twin, at) => {
    if (twin !== null) doubled.add(at).add(twin);
  });
  if (doubled.size === 0) return [...glyphs];
  const kept: ShownGlyph[] = [];
  for (let from = 0, to = 1; from < glyphs.length; from = to++) {
    while (to < glyphs.length && !glyphs[to]!.afterBlank && touches(places[to - 1]!, places[to]!)) to++;
    const word = glyphs.slice(from, to);
    const isWhole = word.every((_, at) => doubled.has(from + at));
    for (const [at, glyph] of word.entries()) if (!isWhole || twins[from + at] === null) kept.push(glyph);
  }
  return kept;
}

/** Removes text items that repeat the same words at nearly the same place. */
export function withoutRepeatedWords(items: readonly PdfItem[]): PdfItem[] {
  const places = items.map(({ str, transform, width }): Placed => {
    const [a = 0, b = 0, , , x = 0, y = 0] = transform;
    const isShort = str.trim().length < LEAST_WORDS;
    return { text: str, x, y, width: isShort ? 0 : width, size: Math.hypot(a, b) };
  });
  const twins = twinsOf(places, WORDS_TWICE);
  return items.filter((_, at) => twins[at] === null);
}

/**
 * Returns for each entry the index of an earlier one with the same text at nearly the same place; null without one.
 *
 * @param tolerance maximum distance in each direction, relative to the size
 */
function twinsOf(entries: readonly Placed[], tolerance: number): (number | null)[] {
  const squares = new Map<string, Map<number, number[]>>();
  return entries.map((own, index) => {
    const byPlace = squares.get(own.text) ?? new Map<number, number[]>();
    squares.set(own.text, byPlace);
    // Narrow letters may follow each other more closely.
    const reach = Math.min(own.size * tolerance, own.width * 0.6, SQUARE / 2);
    for (const square of new Set(cornersOf(own, reach))) {
      const twin = byPlace.get(square)?.find((other) => isSame(own, entries[other]!, reach));
      if (twin !== undefined) return twin;
    }
    const square = squareOf(own.x, own.y);
    const last = byPlace.get(square);
    if (!last) byPlace.set(square, [index]);
    else last.push(index);
    if (last && last.length > MOST_COMPARED) last.shift();
    return null;
  });
}

const squareOf = (x: number, y: number): number =>
  Math.floor(x / SQUARE) * 1_000_003 + Math.floor(y / SQUARE);

function cornersOf({ x, y }: Placed, reach: number): number[] {
  return [
    squareOf(x - reach, y - reach),
    squareOf(x + reach, y - reach),
    squareOf(x - reach, y + reach),
    squareOf(x + reach, y + reach),
  ];
}

function isSame(own: Placed, other: Placed, reach: number): boolean {
  return (
    Math.abs(own.x - other.x) <= reach &&
    Math.abs(own.y - other.y) <= reach &&
    Math.abs(own.size - other.size) <= own.size * 0.1
  );
}

/** Returns whether two letters that are drawn one after the other are next to each other, without a blank, in any direction. */
function touches(one: Placed, other: Placed): boolean {
  const width = other.x < one.x ? other.width : one.width;
  return Math.hypot(one.x - other.x, one.y - other.y) < width + one.size * 0.15;
}

/** Combining characters of the accents that some programs draw over letters. */
const COMBINING: Record<string, string> = {
  '´': '\u0301', '`': '\u0300', 'ˆ': '\u0302', '¨': '\u0308', '˜': '\u0303', '¸': '\u0327', '˚': '\u030a',
  'ˇ': '\u030c', '¯': '\u0304', '˘': '\u0306', '˙': '\u0307', '˝': '\u030b', '˛': '\u0328',
}; // prettier-ignore
const DOTLESS: Record<string, string> = { ı: 'i', ȷ: 'j' };

/** Joins accents with the letters that they are drawn over, before or after them, where a letter with the accent exists. */
export function composeAccents(glyphs: readonly ShownGlyph[]): ShownGlyph[] {
  const composed: ShownGlyph[] = [];
  for (let at = 0; at < glyphs.length; at++) {
    const [glyph, next, last] = [glyphs[at]!, glyphs[at + 1], composed.at(-1)];
    const mark = COMBINING[glyph.text];
    const over = mark && next ? withAccent(next, glyph, mark) : null;
    const below = mark && last && !over ? withAccent(last, glyph, mark) : null;
    if (over) {
      composed.push({ ...over, afterBlank: glyph.afterBlank || over.afterBlank });
      at++;
    } else if (below) composed[composed.length - 1] = below;
    else composed.push(glyph);
  }
  return composed;
}

/** Returns a letter with an accent; null if the accent is elsewhere or no character has both. */
function withAccent(letter: ShownGlyph, accent: ShownGlyph, mark: string): ShownGlyph | null {
  const [size, , , , x, y] = letter.transform;
  const middle = accent.transform[4] + accent.width / 2;
  const isOver = middle > x && middle < x + letter.width && Math.abs(accent.transform[5] - y) < size * 0.5;
  if (!isOver || !/^\p{L}$/u.test(letter.text)) return null;
  const text = ((DOTLESS[letter.text] ?? letter.text) + mark).normalize('NFC');
  return [...text].length === 1 ? { ...letter, text } : null;
}

const MARKS = /^\p{M}+$/u;
/** Largest distance of a mark from its letter, relative to the font size. */
const NEAR = 0.35;
/** Largest overlap of a mark with the letter to its left, relative to the font size. */
const OVERLAP = 0.2;

/** Joins the vowel marks of right-to-left scripts with their letters. Programs draw a mark before its letter, the one to its right, or after it. */
export function withMarks(glyphs: readonly ShownGlyph[]): ShownGlyph[] {
  const isMark = glyphs.map(({ text }) => MARKS.test(withoutShapes(text)));
  const isFirst = areBeforeLetters(glyphs, isMark);
  const ordered = isFirst ? glyphs.toReversed() : glyphs;
  const marks = isFirst ? isMark.toReversed() : isMark;
  const joined: ShownGlyph[] = [];
  for (const [at, glyph] of ordered.entries()) {
    const last = joined.at(-1);
    if (marks[at] && last && isOver(glyph, last)) joined[joined.length - 1] = withMark(last, glyph);
    else joined.push(glyph);
  }
  return isFirst ? joined.reverse() : joined;
}

/** Returns whether most marks are drawn to the right of the letter before them. */
function areBeforeLetters(glyphs: readonly ShownGlyph[], isMark: readonly boolean[]): boolean {
  let votes = 0;
  let letter: ShownGlyph | null = null;
  for (const [at, glyph] of glyphs.entries()) {
    if (!isMark[at]) letter = glyph;
    else if (letter) votes += isRightOf(glyph, letter) ? 1 : -1;
  }
  return votes > 0;
}

function isRightOf({ transform }: ShownGlyph, { transform: [a, b, , , x], width }: ShownGlyph): boolean {
  return transform[4] > x + width - Math.hypot(a, b) * OVERLAP;
}

function isOver(mark: ShownGlyph, { text, transform: [a, b, , , x, y], width }: ShownGlyph): boolean {
  const size = Math.hypot(a, b);
  const [, , , , markX, markY] = mark.transform;
  const isNear = markX > x - size * NEAR && markX < x + width + size * NEAR;
  return isNear && Math.abs(markY - y) < size && hasLettersToLeft(text);
}

const withMark = (letter: ShownGlyph, mark: ShownGlyph): ShownGlyph => ({
  ...letter,
  text: letter.text + withoutShapes(mark.text),
  afterBlank: letter.afterBlank || mark.afterBlank,
});

import type { PdfItem } from './pdfjs-types.js';
import type { ShownGlyph } from './read-drawing.js';

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

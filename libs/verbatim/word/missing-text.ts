import { align } from '../match/align.js';
import { Spans, toWords, Vocabulary, Words } from './words.js';

/** Source line with the words that a document must show, in this order. `VisibleLine` describes `moves`. */
export interface WantedLine {
  source: string;
  line: number;
  text: string;
  moves: boolean;
}

/** The words of a source line that a document does not show. */
export interface MissingText {
  source: string;
  line: number;
  missing: string;
}

const BULLET = /^[-*+]/;
/** Numbers of neighbouring words on either side with which a missing stretch is compared again. */
const WIDER = [1, 2, 4, 8, 16, 32];
/** Maximum number of words of such a stretch and of its part of the document. */
const WIDEST = 2_000;

/** Settings for reading a kind of document. */
interface Reading {
  /** Equates spellings that the kind of document cannot distinguish. */
  normalise?: (text: string) => string;
  /** Addresses that the document shows in brackets after words of the sources. */
  addresses?: readonly string[];
}

/** Result of comparing a document with the lines that it must show. */
interface ShownText {
  /** Lines that are not completely shown, in the order of the wanted lines. */
  missing: MissingText[];
  /**
   * Index, by wanted line, of the shown line in which its words start; -1 if they are not shown in order.
   */
  places: Int32Array;
  /** Returns the text that the document shows for a wanted line, from its first word to its last. */
  textOf: (index: number) => string;
}

/**
 * Compares the text of sources with the text that a reader sees in a document: every character of the sources
 * except white space must appear, in order. Words may be wrapped, joined or split differently, and additional
 * words are allowed.
 *
 * @param shown the lines, paragraphs and cells that a reader of the document sees, in order
 * @returns the lines that are not completely shown, in the order of the wanted lines
 */
export function missingText(
  wanted: readonly WantedLine[],
  shown: readonly string[],
  reading: Reading = {},
): MissingText[] {
  return shownText(wanted, shown, reading).missing;
}

/** Like `missingText`, but also returns where the document shows each line. */
export function shownText(
  wanted: readonly WantedLine[],
  shown: readonly string[],
  reading: Reading = {},
): ShownText {
  const { places, ownEnd, shownEnd } = beforeTheSame(wanted, shown);
  const words = traceWords(wanted.slice(0, ownEnd), shown.slice(0, shownEnd), reading);
  places.set(words.places);
  const textOf = (index: number) =>
    index < ownEnd ? words.textOf(index) : (shown[places[index] as number] ?? '');
  return { missing: words.missing, places, textOf };
}

/**
 * Pairs identical lines from the end backwards and returns where they begin, and the index of the shown line by wanted line. This covers
 * most of a long log without comparing its words.
 */
function beforeTheSame(wanted: readonly WantedLine[], shown: readonly string[]) {
  const places = new Int32Array(wanted.length).fill(-1);
  let [ownEnd, shownEnd] = [wanted.length, shown.length];
  // Lines that may move are searched in the whole document.
  if (wanted.some(({ moves }) => moves)) return { places, ownEnd, shownEnd };
  for (;;) {
    while (shownEnd > 0 && shown[shownEnd - 1]?.trim() === '') shownEnd -= 1;
    while (ownEnd > 0 && wanted[ownEnd - 1]?.text.trim() === '') ownEnd -= 1;
    if (ownEnd === 0 || wanted[ownEnd - 1]?.text !== shown[shownEnd - 1]) return { places, ownEnd, shownEnd };
    ownEnd -= 1;
    shownEnd -= 1;
    places[ownEnd] = shownEnd;
  }
}

function traceWords(
  wanted: readonly WantedLine[],
  shown: readonly string[],
  { normalise = (text) => text, addresses = [] }: Reading,
): ShownText {
  const vocabulary = new Vocabulary();
  const read = (text: string) => toWords(text, normalise);
  const addressTexts = new Set(addresses.map((address) => read(address).join('')));
  const document = new Words(each(shown, read), vocabulary, addressTexts);
  const own = new Words(
    each(wanted, ({ text, moves }) => (moves ? [] : read(text))),
    vocabulary,
  );
  const spans = new Spans(wanted.length);
  const { missing, matched } = match(own, document, spans);
  const lost = new Map<number, string[]>();
  const parted = new Set<number>();
  for (const word of missing) {
    const line = own.lines[word] as number;
    if (!parted.has(line) && !lost.has(line) && isParted(own, word, matched, document, spans))
      parted.add(line);
    if (parted.has(line)) continue;
    const words = lost.get(line) ?? [];
    words.push(own.word(word));
    lost.set(line, words);
  }
  const moved = [...wanted.entries()].filter(([, { moves }]) => moves);
  const whole = document.stretch(0, moved.length === 0 ? 0 : document.ids.length);
  for (const [line, { text }] of moved) {
    const words = read(text);
    const sought = words.join('');
    const place = whole.find(sought, 0);
    if (place === undefined) lost.set(line, words);
    else if (sought !== '') spans.addAll(line, whole.words(place.at, place.length));
  }
  return {
    missing: wanted.flatMap(({ source, line }, index) => {
      const words = lost.get(index);
      return words === undefined ? [] : [{ source, line, missing: words.join(' ') }];
    }),
    places: spans.first.map((word) => (word < 0 ? -1 : (document.lines[word] as number))),
    textOf: (index) => textBetween(document, spans.first[index]!, spans.last[index]!, shown),
  };
}

function* each<Line>(lines: readonly Line[], read: (line: Line) => string[]): Iterable<string[]> {
  for (const line of lines) yield read(line);
}

/**
 * Returns the words of the document in a range. If the range consists of whole lines, returns these
 * unchanged.
 */
function textBetween(document: Words, from: number, to: number, shown: readonly string[]): string {
  if (from < 0) return '';
  const [first, last] = [document.lines[from], document.lines[to]];
  if (first === document.lines[from - 1] || last === document.lines[to + 1])
    return Array.from({ length: to - from + 1 }, (_, index) => document.word(from + index)).join(' ');
  return shown
    .slice(first, last! + 1)
    .filter(Boolean)
    .join(' ');
}

interface Match {
  /** Indexes of the words that the document does not show in their place. */
  missing: number[];
  /** Index, by word, of the matching word in the document; -1 if the document lacks it. */
  matched: Int32Array;
}

function match(own: Words, document: Words, spans: Spans): Match {
  const matched = align(own.ids, document.ids);
  const missing: number[] = [];
  for (let from = 0; from < matched.length; from++) {
    const same = matched[from] as number;
    if (same >= 0) {
      spans.add(own.lines[from] as number, same);
      continue;
    }
    const gap = gapAround(from, from + 1, matched, document);
    const lost = missingInGap(own, gap, document, spans);
    const wide = lost.length > 0 ? shownWithNeighbours(own, gap, matched, document) : undefined;
    if (wide) missingInGap(own, wide, document, spans);
    else for (const word of lost) missing.push(word);
    from = gap.to - 1;
  }
  return { missing, matched };
}

/**
 * A range of words that were not found, and the range of the document that may show them: between the
 * neighbours that were found.
 */
interface Gap {
  from: number;
  to: number;
  first: number;
  end: number;
}

/**
 * Compares a stretch again together with neighbouring words. A neighbour that equals the start or end of the
 * stretch may have matched in its place: `x>` and `>` in `x > >`.
 */
function shownWithNeighbours(
  own: Words,
  { from, to }: Gap,
  matched: Int32Array,
  document: Words,
): Gap | undefined {
  for (const words of WIDER) {
    const wide = gapAround(
      Math.max(0, from - words),
      Math.min(matched.length, to + words),
      matched,
      document,
    );
    if (Math.max(wide.to - wide.from, wide.end - wide.first) > WIDEST) continue;
    if (missingInGap(own, wide, document).length === 0) return wide;
  }
  return undefined;
}

/** Extends a stretch by the adjacent words that were not found. */
function gapAround(from: number, to: number, matched: Int32Array, document: Words): Gap {
  while (from > 0 && (matched[from - 1] as number) < 0) from--;
  while (to < matched.length && (matched[to] as number) < 0) to++;
  const first = from === 0 ? 0 : (matched[from - 1] as number) + 1;
  return { from, to, first, end: to === matched.length ? document.ids.length : (matched[to] as number) };
}

/**
 * Returns whether the line of a word is complete between its neighbours after all: with its words joined or
 * split differently, or as a table row that the document shows as text with its `|` borders.
 */
function isParted(own: Words, word: number, matched: Int32Array, document: Words, spans: Spans): boolean {
  let from = word;
  let to = word + 1;
  while (own.lines[from - 1] === own.lines[word]) from--;
  while (own.lines[to] === own.lines[word]) to++;
  const whole = own.joined(from, to);
  const { first, end } = gapAround(from, to, matched, document);
  const there = document.stretch(first, end);
  const line = own.lines[word] as number;
  const at = there.text.indexOf(whole);
  if (at >= 0) spans.addAll(line, there.words(at, whole.length));
  else if (!there.text.replaceAll('|', '').includes(whole)) return false;
  else spans.addAll(line, there.words(0, there.text.length));
  return true;
}

/**
 * Returns the words of a gap that the document's words there, concatenated, do not contain: compares line by
 * line, then word by word.
 */
function missingInGap(
  own: Words,
  { from, to, first, end: last }: Gap,
  document: Words,
  spans?: Spans,
): number[] {
  const gap = document.stretch(first, last);
  const missing: number[] = [];
  let at = 0;
  for (let start = from; start < to;) {
    let end = start;
    while (end < to && own.lines[end] === own.lines[start]) end++;
    const line = own.lines[start] as number;
    const whole = own.joined(start, end);
    const isItem = own.lines[start - 1] !== line && /^[-*+]$/.test(own.word(start));
    const literal = gap.text.indexOf(whole, at);
    const found = literal < 0 && isItem ? gap.text.indexOf(whole.replace(BULLET, '•'), at) : literal;
    const take = (place: number, length: number) => {
      at = place + length;
      spans?.addAll(line, gap.words(place, length));
    };
    if (found >= 0) take(found, whole.length);
    else
      for (let word = start; word < end; word++) {
        const place = gap.find(own.word(word), at);
        if (place === undefined) missing.push(word);
        else take(place.at, place.length);
      }
    start = end;
  }
  return missing;
}

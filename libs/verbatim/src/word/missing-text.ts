import { align } from '../match/align.js';

/** A line of a source whose words a document has to show, in this order; see `VisibleLine` for `moves`. */
export interface WantedLine {
  source: string;
  line: number;
  text: string;
  moves: boolean;
}

/** What a document does not show of a source line. */
export interface MissingText {
  source: string;
  line: number;
  missing: string;
}

/** Characters that neither XML nor markdown can hold are shown as their pictures, or as the replacement character. */
const UNSHOWABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const BULLET = /^[-*+]/;
/** So many words on either side of a stretch are looked at once more with it. */
const WIDER = [1, 2, 4, 8, 16, 32];
/** The stretch, and what the document shows there, has at most so many words. */
const WIDEST = 2_000;

/**
 * Compares what sources say with what a reader sees in a document: each character of the sources but white space has to be there, in
 * order. Words that were wrapped, joined or parted otherwise are the same words; more words than wanted are no fault.
 *
 * @param shown the lines, paragraphs and cells that a reader of the document sees, in order
 * @param normalise makes equal what the kind of document cannot tell apart
 * @returns the lines that are not shown whole, in the order wanted
 */
export function missingText(
  wanted: readonly WantedLine[],
  shown: readonly string[],
  normalise: (text: string) => string = (text) => text,
): MissingText[] {
  const { ownEnd, shownEnd } = beforeTheSame(wanted, shown);
  return missingWords(wanted.slice(0, ownEnd), shown.slice(0, shownEnd), normalise);
}

/** Where the lines begin that are shown as they are wanted up to the end: most of a long log, whose words need not be looked at one by one. */
function beforeTheSame(
  wanted: readonly WantedLine[],
  shown: readonly string[],
): { ownEnd: number; shownEnd: number } {
  let [ownEnd, shownEnd] = [wanted.length, shown.length];
  // What may stand elsewhere is looked for in the whole document.
  if (wanted.some(({ moves }) => moves)) return { ownEnd, shownEnd };
  for (;;) {
    while (shownEnd > 0 && shown[shownEnd - 1]?.trim() === '') shownEnd -= 1;
    while (ownEnd > 0 && wanted[ownEnd - 1]?.text.trim() === '') ownEnd -= 1;
    if (ownEnd === 0 || wanted[ownEnd - 1]?.text !== shown[shownEnd - 1]) return { ownEnd, shownEnd };
    ownEnd -= 1;
    shownEnd -= 1;
  }
}

function missingWords(
  wanted: readonly WantedLine[],
  shown: readonly string[],
  normalise: (text: string) => string,
): MissingText[] {
  const vocabulary = new Vocabulary();
  const read = (text: string) => toWords(text, normalise);
  const document = new Words(each(shown, read), vocabulary);
  const own = new Words(
    each(wanted, ({ text, moves }) => (moves ? [] : read(text))),
    vocabulary,
  );
  const { missing, matched } = match(own, document);
  const lost = new Map<number, string[]>();
  const parted = new Set<number>();
  for (const word of missing) {
    const line = own.lines[word] as number;
    if (!parted.has(line) && !lost.has(line) && isParted(own, word, matched, document)) parted.add(line);
    if (parted.has(line)) continue;
    const words = lost.get(own.lines[word] as number) ?? [];
    words.push(own.word(word));
    lost.set(own.lines[word] as number, words);
  }
  const moved = [...wanted.entries()].filter(([, { moves }]) => moves);
  const whole = moved.length === 0 ? '' : document.joined(0, document.ids.length);
  for (const [line, { text }] of moved) {
    const words = read(text);
    if (!whole.includes(words.join(''))) lost.set(line, words);
  }
  return wanted.flatMap(({ source, line }, index) => {
    const words = lost.get(index);
    return words === undefined ? [] : [{ source, line, missing: words.join(' ') }];
  });
}

function* each<Line>(lines: readonly Line[], read: (line: Line) => string[]): Iterable<string[]> {
  for (const line of lines) yield read(line);
}

function toWords(text: string, normalise: (text: string) => string): string[] {
  const visible = normalise(text.replace(UNSHOWABLE, picture));
  return visible.split(/\s+/).filter((word) => word !== '');
}

function picture(char: string): string {
  const code = char.charCodeAt(0);
  return code > 0 && code < 32 ? String.fromCharCode(0x2400 + code) : '\ufffd';
}

/** Numbers words: each is kept once, however often it stands in texts of millions of words. */
class Vocabulary {
  readonly words: string[] = [];
  private readonly ids = new Map<string, number>();

  idOf(word: string): number {
    let id = this.ids.get(word);
    if (id === undefined) this.ids.set(word, (id = this.words.push(word) - 1));
    return id;
  }
}

/** Words in a row with the number of each, and the line it belongs to. */
class Words {
  readonly lines: Int32Array;
  readonly ids: Int32Array;

  /** @param lines the words of each line; read one by one, so that only their numbers are kept */
  constructor(
    lines: Iterable<string[]>,
    private readonly vocabulary: Vocabulary,
  ) {
    const ids: number[] = [];
    const places: number[] = [];
    let line = 0;
    for (const words of lines) {
      for (const word of words) {
        ids.push(vocabulary.idOf(word));
        places.push(line);
      }
      line += 1;
    }
    this.ids = Int32Array.from(ids);
    this.lines = Int32Array.from(places);
  }

  word(index: number): string {
    return this.vocabulary.words[this.ids[index] as number] as string;
  }

  /** The words of a stretch without anything between them. */
  joined(from: number, to: number): string {
    return Array.from(this.ids.subarray(from, to), (id) => this.vocabulary.words[id]).join('');
  }
}

interface Match {
  /** Indexes of the words that the document does not show where they belong. */
  missing: number[];
  /** For each word the index of the document's, or -1. */
  matched: Int32Array;
}

function match(own: Words, document: Words): Match {
  const matched = align(own.ids, document.ids);
  const missing: number[] = [];
  for (let from = 0; from < matched.length; from++) {
    if ((matched[from] as number) >= 0) continue;
    const { to, first, end } = gapAround(from, from + 1, matched, document);
    const lost = missingInGap(own, from, to, document.joined(first, end));
    if (lost.length > 0 && !isShownWithNeighbours(own, from, to, matched, document))
      for (const word of lost) missing.push(word);
    from = to - 1;
  }
  return { missing, matched };
}

/**
 * Whether a stretch stands there together with the words beside it. A word beside it that equals its own end or beginning may have been
 * found in the place of this: `x>` and `>` in `x > >`.
 */
function isShownWithNeighbours(
  own: Words,
  from: number,
  to: number,
  matched: Int32Array,
  document: Words,
): boolean {
  return WIDER.some((words) => {
    const wide = gapAround(
      Math.max(0, from - words),
      Math.min(matched.length, to + words),
      matched,
      document,
    );
    if (Math.max(wide.to - wide.from, wide.end - wide.first) > WIDEST) return false;
    return missingInGap(own, wide.from, wide.to, document.joined(wide.first, wide.end)).length === 0;
  });
}

/** A stretch with the words around it that are not found, and where the document can show them: between the words that it shows. */
function gapAround(
  from: number,
  to: number,
  matched: Int32Array,
  document: Words,
): { from: number; to: number; first: number; end: number } {
  while (from > 0 && (matched[from - 1] as number) < 0) from--;
  while (to < matched.length && (matched[to] as number) < 0) to++;
  const first = from === 0 ? 0 : (matched[from - 1] as number) + 1;
  const end = to === matched.length ? document.ids.length : (matched[to] as number);
  return { from, to, first, end };
}

/**
 * Whether the line of a word stands whole between its neighbours after all, with its words joined or parted otherwise, or as a row of what
 * is no table: between its borders.
 */
function isParted(own: Words, word: number, matched: Int32Array, document: Words): boolean {
  let from = word;
  let to = word + 1;
  while (own.lines[from - 1] === own.lines[word]) from--;
  while (own.lines[to] === own.lines[word]) to++;
  const whole = own.joined(from, to);
  const { first, end } = gapAround(from, to, matched, document);
  const there = document.joined(first, end);
  return there.includes(whole) || there.replaceAll('|', '').includes(whole);
}

/** Words of a stretch that the document's own words there, joined, do not hold: line by line, then word by word. */
function missingInGap(own: Words, from: number, to: number, gap: string): number[] {
  const missing: number[] = [];
  let at = 0;
  for (let start = from; start < to;) {
    let end = start;
    while (end < to && own.lines[end] === own.lines[start]) end++;
    const whole = own.joined(start, end);
    const isItem = own.lines[start - 1] !== own.lines[start] && /^[-*+]$/.test(own.word(start));
    const literal = gap.indexOf(whole, at);
    const found = literal < 0 && isItem ? gap.indexOf(whole.replace(BULLET, '•'), at) : literal;
    if (found >= 0) at = found + whole.length;
    else
      for (let word = start; word < end; word++) {
        const text = own.word(word);
        const place = gap.indexOf(text, at);
        if (place < 0) missing.push(word);
        else at = place + text.length;
      }
    start = end;
  }
  return missing;
}

import type { ReportedWords } from './extracted-text.js';

/** Numbers words, so that counts are arrays. */
export class WordTable {
  private readonly ids = new Map<string, number>();

  /** Returns the numbers of words; new words are added. */
  idsOf(words: readonly string[]): number[] {
    return words.map((word) => {
      const id = this.ids.get(word) ?? this.ids.size;
      if (id === this.ids.size) this.ids.set(word, id);
      return id;
    });
  }

  /** Returns the number of a word; undefined if no text has it. */
  find(word: string): number | undefined {
    return this.ids.get(word);
  }

  get size(): number {
    return this.ids.size;
  }
}

/** A text and its words by number. */
export interface CountedText {
  words: readonly string[];
  ids: readonly number[];
}

/** Positions of no words; a table has a million cells, and nearly all of them are carried. */
export const NO_WORDS: readonly number[] = [];

/** Counts the words of texts. */
export function countWords(texts: Iterable<CountedText>, size: number): Int32Array {
  const counts = new Int32Array(size);
  for (const { ids } of texts) for (const id of ids) counts[id]! += 1;
  return counts;
}

/**
 * Decides which occurrences of words are surplus. Prefers texts in which most words are surplus, so that a paragraph that is missing
 * as a whole is found as a whole. Of these, prefers the longer text: a short one, such as a number, may be a part of it. Among equal texts,
 * chooses the last one.
 *
 * @param surplus number of surplus occurrences by word; decreased by the occurrences that are chosen
 * @param settled for each text the positions that are not chosen; undefined for none
 * @returns for each text the positions of its surplus words, in order
 */
export function chooseSurplus(
  texts: readonly CountedText[],
  surplus: Int32Array,
  settled: readonly (ReadonlySet<number> | undefined)[],
): (readonly number[])[] {
  const shares = texts.map(({ ids }, index) => {
    let open = 0;
    ids.forEach((id, at) => {
      if (surplus[id]! > 0 && !settled[index]?.has(at)) open += 1;
    });
    return ids.length === 0 ? 0 : open / ids.length;
  });
  const order = shares.flatMap((share, index) => (share > 0 ? [index] : []));
  order.sort((a, b) => shares[b]! - shares[a]! || texts[b]!.ids.length - texts[a]!.ids.length || b - a);
  const chosen = new Array<readonly number[]>(texts.length).fill(NO_WORDS);
  for (const index of order)
    chosen[index] = texts[index]!.ids.flatMap((id, at) => {
      if (surplus[id]! <= 0 || settled[index]?.has(at)) return NO_WORDS;
      surplus[id]! -= 1;
      return [at];
    });
  return chosen;
}

/** Characters of numbers. Two numbers next to each other are never one number. */
const NUMERIC = /[\d.,+-]/;
const partsNumber = (before = '', after = ''): boolean => NUMERIC.test(before) && NUMERIC.test(after);

/** Returns runs of consecutive positions, each as the joined words and their positions. */
export function runsOf(
  { words }: CountedText,
  positions: readonly number[],
): { joined: string; at: number[] }[] {
  const runs: { joined: string; at: number[] }[] = [];
  for (const at of positions) {
    const last = runs.at(-1);
    if (last && last.at.at(-1) === at - 1 && !partsNumber(last.joined.at(-1), words[at]![0])) {
      last.joined += words[at]!;
      last.at.push(at);
    } else runs.push({ joined: words[at]!, at: [at] });
  }
  return runs;
}

/** Maximum number of words that are joined to one, and of the characters in it. */
const MAX_WORDS = 8;
const MAX_LENGTH = 40;

/** Counts of words on the two sides of a comparison. */
interface SideCounts {
  /** Occurrences on the side with the joined words, such as the file. */
  own: Int32Array;
  /** Occurrences on the other side. */
  other: Int32Array;
}

/**
 * Finds words in a row that the other side writes as one word: `exam` and `ple` are `example` there. Of the words in a row, at least one
 * must be more frequent here than there. Both sides' counts are decreased by what is found. Linear.
 *
 * @param texts one side in its order; a row may begin in one text and end in the next one
 * @returns for each text the positions of the words that were found; undefined for none
 */
export function settleJoined(
  texts: readonly CountedText[],
  table: WordTable,
  { own, other }: SideCounts,
): (Set<number> | undefined)[] {
  const row = new WordRow(texts);
  const settled = new Array<Set<number> | undefined>(texts.length).fill(undefined);
  const isFree = (text: number, at: number) => !settled[text]?.has(at);
  const isOpen = (id: number) => own[id]! > other[id]!;
  const isWanted = (word: string) => {
    const id = table.find(word);
    return id !== undefined && other[id]! > own[id]!;
  };
  // Words of which the other side lacks all are found before those that the other side may have elsewhere.
  for (const isWhole of [true, false])
    for (let start = 0; start < row.length;) {
      const length = rowLength(row, start, { isFree, isOpen, isWanted, isWhole });
      let joined = '';
      for (let index = start; index < start + length; index++) {
        const { text, at, id, word } = row.at(index);
        own[id]! -= 1;
        (settled[text] ??= new Set()).add(at);
        joined += word;
      }
      if (length > 0) other[table.find(joined)!]! -= 1;
      start += Math.max(1, length);
    }
  return settled;
}

/** The words of texts in a row, without an object for each. */
class WordRow {
  readonly length: number;
  /** Index of the text by word, and of the first word by text. */
  private readonly textOf: Int32Array;
  private readonly firstOf: Int32Array;

  constructor(private readonly texts: readonly CountedText[]) {
    this.firstOf = new Int32Array(texts.length);
    let length = 0;
    texts.forEach(({ ids }, text) => {
      this.firstOf[text] = length;
      length += ids.length;
    });
    this.length = length;
    this.textOf = new Int32Array(length);
    texts.forEach(({ ids }, text) =>
      this.textOf.fill(text, this.firstOf[text], this.firstOf[text]! + ids.length),
    );
  }

  at(index: number): { text: number; at: number; id: number; word: string } {
    const text = this.textOf[index]!;
    const at = index - this.firstOf[text]!;
    const { ids, words } = this.texts[text]!;
    return { text, at, id: ids[at]!, word: words[at]! };
  }
}

interface RowRules {
  isFree: (text: number, at: number) => boolean;
  isOpen: (id: number) => boolean;
  isWanted: (word: string) => boolean;
  /** Whether all words have to be open, instead of one. */
  isWhole: boolean;
}

/** Returns the number of words from a position on that form one word of the other side; 0 if they do not. */
function rowLength(row: WordRow, start: number, { isFree, isOpen, isWanted, isWhole }: RowRules): number {
  let joined = '';
  let hasOpen = false;
  for (let length = 1; length <= MAX_WORDS && start + length <= row.length; length++) {
    const { text, at, id, word } = row.at(start + length - 1);
    const isOwn = isOpen(id);
    if ((isWhole && !isOwn) || !isFree(text, at) || partsNumber(joined.at(-1), word[0])) return 0;
    joined += word;
    hasOpen ||= isOwn;
    if (joined.length > MAX_LENGTH) return 0;
    if (length > 1 && hasOpen && isWanted(joined)) return length;
  }
  return 0;
}

/** Maximum characters that are searched for words that are joined or split elsewhere; beyond it, such words count as lost. */
const SEARCH_LIMIT = 300_000_000;
/** Maximum number of used occurrences to skip before the search ends. */
const MAX_OCCURRENCES = 50;
const BREAK = '\n';

/**
 * Surplus words of an extracted text, for finding words that the text joins or splits differently from the file: `exam-` and `ple` at a line
 * end are `example` in the text. A run of words is found where a surplus word begins or ends with it.
 */
export class JoinedWords {
  private readonly text: string;
  private readonly taken: Uint8Array;
  /** 1 where a word begins or ends. */
  private readonly borders: Uint8Array;
  /** Position of each run. */
  private readonly starts: number[] = [];
  private searched = 0;
  /** Position after the words that were found last. */
  private next = 0;

  /** @param runs words of each run of surplus words */
  constructor(runs: readonly (readonly string[])[]) {
    this.text = BREAK + runs.map((words) => words.join('')).join(BREAK) + BREAK;
    this.taken = new Uint8Array(this.text.length);
    this.borders = new Uint8Array(this.text.length + 1);
    let at = 1;
    for (const words of runs) {
      this.starts.push(at);
      this.borders[at] = 1;
      for (const word of words) this.borders[(at += word.length)] = 1;
      at += BREAK.length;
    }
  }

  /**
   * Finds and uses up an occurrence of joined words. Texts mostly have the order of the file, so the search continues there.
   *
   * @returns the index of the run that contains it, or null
   */
  take(joined: string): number | null {
    const found = this.find(joined, this.next) ?? this.find(joined, 0);
    if (found === null) return null;
    this.next = found + joined.length;
    this.taken.fill(1, found, this.next);
    return this.runAt(found);
  }

  /** Returns the remaining letters, without numbers of several digits. */
  rest(): string {
    let rest = '';
    for (let at = 0; at < this.text.length; at++) rest += this.taken[at] === 0 ? this.text[at] : BREAK;
    return rest.replace(/\d{2,}/g, BREAK);
  }

  /** Returns whether a place begins or ends within a number, or contains the gap between two numbers. */
  private cutsNumber(start: number, end: number): boolean {
    for (let at = start; at <= end; at++) {
      const isInside = at > start && at < end;
      if (isInside === (this.borders[at] === 1) && partsNumber(this.text[at - 1], this.text[at])) return true;
    }
    return false;
  }

  private runAt(position: number): number {
    let [from, to] = [0, this.starts.length - 1];
    while (from < to) {
      const middle = Math.ceil((from + to) / 2);
      if (this.starts[middle]! <= position) from = middle;
      else to = middle - 1;
    }
    return from;
  }

  private find(joined: string, start: number): number | null {
    let from = start;
    for (let tries = 0; tries < MAX_OCCURRENCES && this.searched < SEARCH_LIMIT; tries++) {
      const at = this.text.indexOf(joined, from);
      this.searched += (at < 0 ? this.text.length : at) - from;
      if (at < 0) return null;
      const end = at + joined.length;
      const isWhole = this.borders[at] === 1 || this.borders[end] === 1;
      if (isWhole && !this.cutsNumber(at, end) && !this.taken.subarray(at, end).includes(1)) return at;
      from = at + 1;
    }
    return null;
  }
}

/** Maximum number of reports of a word that are searched for its neighbouring words. */
const MOST_SEARCHED = 50;

/** Words that a text reports as left out, and that are not yet assigned to a piece. */
export class OpenReports {
  private readonly texts: string[];
  /** Indices of the reports that contain a word, in reverse order; once for each occurrence. */
  private readonly byWord = new Map<string, number[]>();

  constructor(private readonly reported: readonly ReportedWords[]) {
    this.texts = reported.map(({ words }) => ` ${words.join(' ')} `);
    for (let index = reported.length - 1; index >= 0; index--)
      for (const word of reported[index]!.words) {
        const own = this.byWord.get(word);
        if (own) own.push(index);
        else this.byWord.set(word, [index]);
      }
  }

  /** Returns the first report that contains these consecutive words, or null. */
  reportOf(words: readonly string[]): number | null {
    const open = this.byWord.get(words[0] ?? '')?.slice(-MOST_SEARCHED) ?? [];
    if (open.length === 0) return null;
    const text = ` ${words.join(' ')} `;
    return open.findLast((index) => this.texts[index]!.includes(text)) ?? null;
  }

  /** Removes a word, from the given report if it still contains it, and returns the kind of its report; null if no report contains it. */
  take(word: string, report: number | null): string | null {
    const open = this.byWord.get(word) ?? [];
    const near = report === null ? -1 : open.slice(-MOST_SEARCHED).lastIndexOf(report);
    const index = near < 0 ? open.pop() : open.splice(Math.max(0, open.length - MOST_SEARCHED) + near, 1)[0];
    return index === undefined ? null : this.reported[index]!.kind;
  }

  has(word: string): boolean {
    return (this.byWord.get(word)?.length ?? 0) > 0;
  }
}

import { splitAtSpaces } from '#contracts/text.js';
import { countWhile } from '#contracts/count-while.js';

/** Position of found words in a text. */
interface Place {
  at: number;
  length: number;
}

/** A bracketed part of a text: from the opening bracket to the position after the closing one. */
interface Bracket {
  from: number;
  to: number;
}

/** A text without some of its brackets that maps positions back to the whole text. */
class WithoutBrackets {
  private readonly text: string;
  /** Position after each removed bracket, and the number of characters removed before it. */
  private readonly joints: { at: number; gone: number }[] = [];

  /** @param brackets in the order of the text, not nested */
  constructor(whole: string, brackets: readonly Bracket[]) {
    const parts: string[] = [];
    let [kept, gone] = [0, 0];
    for (const { from, to } of brackets) {
      parts.push(whole.slice(kept, from));
      gone += to - from;
      kept = to;
      this.joints.push({ at: to - gone, gone });
    }
    this.text = [...parts, whole.slice(kept)].join('');
  }

  /** Finds words after `from`. Positions refer to the whole text. Returns undefined if the words are missing. */
  find(sought: string, from: number): Place | undefined {
    const at = this.text.indexOf(sought, this.placeOf(from));
    if (at < 0) return undefined;
    const first = at + this.removedBefore(at);
    const last = at + sought.length - 1;
    return { at: first, length: last + this.removedBefore(last) - first + 1 };
  }

  /** Converts a position in the whole text to the next remaining position. */
  private placeOf(from: number): number {
    const before = this.jointsWhile(({ at, gone }) => at + gone <= from);
    return Math.min(from - (this.joints[before - 1]?.gone ?? 0), this.joints[before]?.at ?? from);
  }

  /** Returns the number of characters removed before a position. */
  private removedBefore(place: number): number {
    return this.joints[this.jointsWhile(({ at }) => at <= place) - 1]?.gone ?? 0;
  }

  /** Counts the joints at the start that satisfy a monotonic condition. */
  private jointsWhile(isSo: (joint: { at: number; gone: number }) => boolean): number {
    return countWhile(this.joints.length, (index) => isSo(this.joints[index]!));
  }
}

/**
 * Characters that neither XML nor markdown can contain; they appear as control pictures or the replacement
 * character.
 */
const UNSHOWABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * Returns the words of a text as a document shows them. `normalise` equates spellings that the kind of
 * document cannot distinguish.
 */
export function toWords(text: string, normalise: (text: string) => string): string[] {
  const visible = normalise(text.replace(UNSHOWABLE, picture));
  return splitAtSpaces(visible).filter((word) => word !== '');
}

function picture(char: string): string {
  const code = char.charCodeAt(0);
  return code > 0 && code < 32 ? String.fromCharCode(0x2400 + code) : '\ufffd';
}

/** Numbers words, so that texts of millions of words store each distinct word only once. */
export class Vocabulary {
  readonly words: string[] = [];
  private readonly ids = new Map<string, number>();

  idOf(word: string): number {
    let id = this.ids.get(word);
    if (id === undefined) this.ids.set(word, (id = this.words.push(word) - 1));
    return id;
  }
}

/** A sequence of words, each with its number and its line. */
export class Words {
  readonly lines: Int32Array;
  readonly ids: Int32Array;
  private last: Stretch | undefined;

  /**
   * @param lines the words of each line; read lazily, so that only their numbers stay in memory
   * @param addresses addresses of files, without white space. A document shows an address in brackets, after
   * the words of its link and a space; the text that follows then starts a separate word
   */
  constructor(
    lines: Iterable<string[]>,
    private readonly vocabulary: Vocabulary,
    readonly addresses: ReadonlySet<string> = new Set(),
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

  /** Returns the words of a stretch, concatenated. */
  joined(from: number, to: number): string {
    return Array.from(this.ids.subarray(from, to), (id) => this.vocabulary.words[id]).join('');
  }

  /** Returns a part as one text, with a mapping from its positions to words. */
  stretch(from: number, to: number): Stretch {
    // Cached, because consecutive lines are searched in the same stretch.
    if (this.last?.from !== from || this.last.to !== to) this.last = new Stretch(this, from, to);
    return this.last;
  }
}

/** Words of a document, concatenated, for searches from the beginning to the end. */
class Stretch {
  readonly text: string;
  private word: number;
  private offset = 0;
  private around: WithoutBrackets | undefined;

  constructor(
    private readonly document: Words,
    readonly from: number,
    readonly to: number,
  ) {
    this.text = document.joined(from, to);
    this.word = from;
  }

  /** Returns the first and last word of a range of the text; fast if positions ascend. */
  words(at: number, length: number): [first: number, last: number] {
    return [this.wordAt(at), this.wordAt(at + length - 1)];
  }

  /**
   * Finds words without white space from a position on: first exactly, then around addresses in brackets.
   * Returns undefined if they are not found.
   */
  find(sought: string, from: number): Place | undefined {
    const exact = this.text.indexOf(sought, from);
    if (exact >= 0) return { at: exact, length: sought.length };
    if (this.document.addresses.size === 0) return undefined;
    this.around ??= new WithoutBrackets(this.text, this.brackets());
    return this.around.find(sought, from);
  }

  /** Returns the addresses in brackets that start at the beginning of a word, in the order of the text. */
  private brackets(): Bracket[] {
    const { addresses } = this.document;
    const lengths = [...new Set([...addresses].map(({ length }) => length))];
    const found: Bracket[] = [];
    for (let word = this.from, from = 0; word < this.to; word++) {
      const isAddress = (length: number) =>
        this.text[from + length + 1] === ')' && addresses.has(this.text.slice(from + 1, from + 1 + length));
      const length = this.text[from] === '(' ? lengths.find(isAddress) : undefined;
      if (length !== undefined) found.push({ from, to: from + length + 2 });
      from += this.document.word(word).length;
    }
    return found;
  }

  private wordAt(place: number): number {
    if (place < this.offset) [this.word, this.offset] = [this.from, 0];
    for (;;) {
      const next = this.offset + this.document.word(this.word).length;
      if (place < next) return this.word;
      this.word += 1;
      this.offset = next;
    }
  }
}

/** First and last word of the other text that show a line, by line; -1 if it is not shown. */
export class Spans {
  readonly first: Int32Array;
  readonly last: Int32Array;

  constructor(lines: number) {
    this.first = new Int32Array(lines).fill(-1);
    this.last = new Int32Array(lines).fill(-1);
  }

  add(line: number, word: number): void {
    const first = this.first[line] as number;
    if (first < 0 || word < first) this.first[line] = word;
    if (word > (this.last[line] as number)) this.last[line] = word;
  }

  addAll(line: number, words: readonly [first: number, last: number]): void {
    for (const word of words) this.add(line, word);
  }
}

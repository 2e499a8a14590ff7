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

  /** Returns the remaining letters. */
  rest(): string {
    return [...this.text].filter((_, at) => this.taken[at] === 0).join('');
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
      if (isWhole && !this.taken.subarray(at, end).includes(1)) return at;
      from = at + 1;
    }
    return null;
  }
}

/** Characters that neither XML nor markdown can hold are shown as their pictures, or as the replacement character. */
const UNSHOWABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** The words of a text as a document shows them; `normalise` makes equal what the kind of document cannot tell apart. */
export function toWords(text: string, normalise: (text: string) => string): string[] {
  const visible = normalise(text.replace(UNSHOWABLE, picture));
  return visible.split(/\s+/).filter((word) => word !== '');
}

function picture(char: string): string {
  const code = char.charCodeAt(0);
  return code > 0 && code < 32 ? String.fromCharCode(0x2400 + code) : '\ufffd';
}

/** Numbers words: each is kept once, however often it stands in texts of millions of words. */
export class Vocabulary {
  readonly words: string[] = [];
  private readonly ids = new Map<string, number>();

  idOf(word: string): number {
    let id = this.ids.get(word);
    if (id === undefined) this.ids.set(word, (id = this.words.push(word) - 1));
    return id;
  }
}

/** Words in a row with the number of each, and the line it belongs to. */
export class Words {
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

  /** A stretch as one text of which each place can be told to be which word. */
  stretch(from: number, to: number): Stretch {
    return new Stretch(this, from, to);
  }
}

/** Words of a document without anything between them, to be looked through from its beginning to its end. */
export class Stretch {
  readonly text: string;
  private word: number;
  private offset = 0;

  constructor(
    private readonly document: Words,
    private readonly from: number,
    to: number,
  ) {
    this.text = document.joined(from, to);
    this.word = from;
  }

  /** The first and the last word of what stands at a place; quick as long as places rise. */
  words(at: number, length: number): [first: number, last: number] {
    return [this.wordAt(at), this.wordAt(at + length - 1)];
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

/** For each line of one text the first and the last word of another that show it; -1 for none. */
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

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
  const ids = new Map<string, number>();
  const read = (text: string) => toWords(text, normalise);
  const document = new Words(shown.map(read), ids);
  const own = new Words(
    wanted.map(({ text, moves }) => (moves ? [] : read(text))),
    ids,
  );
  const { missing, matched } = match(own, document);
  const whole = document.words.join('');
  const lost = new Map<number, string[]>();
  const parted = new Set<number>();
  for (const word of missing) {
    const line = own.lines[word] as number;
    if (!parted.has(line) && !lost.has(line) && isParted(own, word, matched, document)) parted.add(line);
    if (parted.has(line)) continue;
    const words = lost.get(own.lines[word] as number) ?? [];
    words.push(own.words[word] as string);
    lost.set(own.lines[word] as number, words);
  }
  wanted.forEach(({ text, moves }, line) => {
    const words = moves ? read(text) : [];
    if (!whole.includes(words.join(''))) lost.set(line, words);
  });
  return wanted.flatMap(({ source, line }, index) => {
    const words = lost.get(index);
    return words === undefined ? [] : [{ source, line, missing: words.join(' ') }];
  });
}

function toWords(text: string, normalise: (text: string) => string): string[] {
  const visible = normalise(text.replace(UNSHOWABLE, picture));
  return visible.split(/\s+/).filter((word) => word !== '');
}

function picture(char: string): string {
  const code = char.charCodeAt(0);
  return code > 0 && code < 32 ? String.fromCharCode(0x2400 + code) : '\ufffd';
}

/** Words in a row with the number of each, and the line it belongs to. */
class Words {
  readonly words: string[] = [];
  readonly lines: number[] = [];
  readonly ids: Int32Array;

  constructor(lines: string[][], ids: Map<string, number>) {
    lines.forEach((words, line) => {
      for (const word of words) {
        this.words.push(word);
        this.lines.push(line);
      }
    });
    this.ids = Int32Array.from(this.words, (word) => {
      const id = ids.get(word) ?? ids.size;
      ids.set(word, id);
      return id;
    });
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
    let to = from;
    while (to < matched.length && (matched[to] as number) < 0) to++;
    const first = from === 0 ? 0 : (matched[from - 1] as number) + 1;
    const end = to === matched.length ? document.words.length : (matched[to] as number);
    for (const word of missingInGap(own, from, to, document.words.slice(first, end).join('')))
      missing.push(word);
    from = to - 1;
  }
  return { missing, matched };
}

/** Whether the line of a word stands whole between its neighbours after all, with its words joined or parted otherwise. */
function isParted(own: Words, word: number, matched: Int32Array, document: Words): boolean {
  let from = word;
  let to = word + 1;
  while (own.lines[from - 1] === own.lines[word]) from--;
  while (own.lines[to] === own.lines[word]) to++;
  const whole = own.words.slice(from, to).join('');
  while (from > 0 && (matched[from - 1] as number) < 0) from--;
  while (to < matched.length && (matched[to] as number) < 0) to++;
  const first = from === 0 ? 0 : (matched[from - 1] as number) + 1;
  const end = to === matched.length ? document.words.length : (matched[to] as number);
  return document.words.slice(first, end).join('').includes(whole);
}

/** Words of a stretch that the document's own words there, joined, do not hold: line by line, then word by word. */
function missingInGap(own: Words, from: number, to: number, gap: string): number[] {
  const missing: number[] = [];
  let at = 0;
  for (let start = from; start < to;) {
    let end = start;
    while (end < to && own.lines[end] === own.lines[start]) end++;
    const whole = own.words.slice(start, end).join('');
    const isItem = own.lines[start - 1] !== own.lines[start] && /^[-*+]$/.test(own.words[start] as string);
    const literal = gap.indexOf(whole, at);
    const found = literal < 0 && isItem ? gap.indexOf(whole.replace(BULLET, '•'), at) : literal;
    if (found >= 0) at = found + whole.length;
    else
      for (let word = start; word < end; word++) {
        const place = gap.indexOf(own.words[word] as string, at);
        if (place < 0) missing.push(word);
        else at = place + (own.words[word] as string).length;
      }
    start = end;
  }
  return missing;
}

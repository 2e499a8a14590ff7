import type { CountedText, WordTable } from './word-table.js';

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
 * @returns for each text the positions of the words that were found
 */
export function settleJoined(
  texts: readonly CountedText[],
  table: WordTable,
  { own, other }: SideCounts,
): Set<number>[] {
  const row = texts.flatMap(({ words, ids }, text) =>
    ids.map((id, at) => ({ text, at, id, word: words[at]! })),
  );
  const settled = texts.map(() => new Set<number>());
  const isOpen = (id: number) => own[id]! > other[id]!;
  for (let start = 0; start < row.length;) {
    const length = rowLength(row, start, isOpen, (word) => {
      const id = table.find(word);
      return id !== undefined && other[id]! > own[id]!;
    });
    for (const { text, at, id } of row.slice(start, start + length)) {
      own[id]! -= 1;
      settled[text]!.add(at);
    }
    if (length > 0) {
      const joined = row.slice(start, start + length).map(({ word }) => word);
      other[table.find(joined.join(''))!]! -= 1;
    }
    start += Math.max(1, length);
  }
  return settled;
}

/** Returns the number of words from a position on that form one word of the other side; 0 if they do not. */
function rowLength(
  row: readonly { id: number; word: string }[],
  start: number,
  isOpen: (id: number) => boolean,
  isWanted: (word: string) => boolean,
): number {
  let joined = '';
  let hasOpen = false;
  for (let length = 1; length <= MAX_WORDS && start + length <= row.length; length++) {
    const { id, word } = row[start + length - 1]!;
    joined += word;
    hasOpen ||= isOpen(id);
    if (joined.length > MAX_LENGTH) return 0;
    if (length > 1 && hasOpen && isWanted(joined)) return length;
  }
  return 0;
}

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

/** Counts the words of texts. */
export function countWords(texts: Iterable<CountedText>, size: number): Int32Array {
  const counts = new Int32Array(size);
  for (const { ids } of texts) for (const id of ids) counts[id]! += 1;
  return counts;
}

/**
 * Decides which occurrences of words are surplus. Prefers texts in which most words are surplus, so that a paragraph that is missing
 * as a whole is found as a whole. Among equal texts, chooses the last one.
 *
 * @param surplus number of surplus occurrences by word; decreased by the occurrences that are chosen
 * @param settled for each text the positions that are not chosen
 * @returns for each text the positions of its surplus words, in order
 */
export function chooseSurplus(
  texts: readonly CountedText[],
  surplus: Int32Array,
  settled: readonly ReadonlySet<number>[],
): number[][] {
  const shares = texts.map(({ ids }, index) => {
    let open = 0;
    ids.forEach((id, at) => {
      if (surplus[id]! > 0 && !settled[index]!.has(at)) open += 1;
    });
    return ids.length === 0 ? 0 : open / ids.length;
  });
  const order = shares.flatMap((share, index) => (share > 0 ? [index] : []));
  order.sort((a, b) => shares[b]! - shares[a]! || b - a);
  const chosen = texts.map((): number[] => []);
  for (const index of order)
    texts[index]!.ids.forEach((id, at) => {
      if (surplus[id]! <= 0 || settled[index]!.has(at)) return;
      surplus[id]! -= 1;
      chosen[index]!.push(at);
    });
  return chosen;
}

/** Returns runs of consecutive positions, each as the joined words and their positions. */
export function runsOf(
  { words }: CountedText,
  positions: readonly number[],
): { joined: string; at: number[] }[] {
  const runs: { joined: string; at: number[] }[] = [];
  for (const at of positions) {
    const last = runs.at(-1);
    if (last && last.at.at(-1) === at - 1) {
      last.joined += words[at]!;
      last.at.push(at);
    } else runs.push({ joined: words[at]!, at: [at] });
  }
  return runs;
}

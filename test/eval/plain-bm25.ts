import { stemsOf } from '#knowledge/text/stems.js';

/** Index of a text in the given list, and its score. */
export interface PlainRank {
  index: number;
  score: number;
}

/**
 * Textbook BM25 over Snowball stems (k1 1.2, b 0.75), which scores each text directly: the reference for the product's
 * index.
 */
export class PlainBm25 {
  private readonly texts: string[][];
  private readonly frequencies = new Map<string, number>();
  private readonly average: number;

  constructor(
    texts: string[],
    private readonly language: string | null,
  ) {
    this.texts = texts.map((text) => stemsOf(text, language));
    for (const stems of this.texts)
      for (const stem of new Set(stems)) this.frequencies.set(stem, (this.frequencies.get(stem) ?? 0) + 1);
    this.average = this.texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  }

  rank(query: string): PlainRank[] {
    const terms = [...new Set(stemsOf(query, this.language))];
    return this.texts
      .map((stems, index) => ({ index, score: this.score(terms, stems) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.index - b.index);
  }

  private score(terms: string[], stems: string[]): number {
    let score = 0;
    for (const term of terms) {
      const times = stems.filter((stem) => stem === term).length;
      if (times === 0) continue;
      const frequency = this.frequencies.get(term)!;
      const idf = Math.log(1 + (this.texts.length - frequency + 0.5) / (frequency + 0.5));
      score += (idf * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * stems.length) / this.average));
    }
    return score;
  }
}

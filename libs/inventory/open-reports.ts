import type { ReportedWords } from './extracted-text.js';

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

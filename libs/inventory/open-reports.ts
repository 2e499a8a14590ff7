import type { ReportedWords } from './extracted-text.js';

/** Reports of one word that are searched for the one that has its neighbours as well. */
const MOST_SEARCHED = 50;

/** Words that a text reports as left out and that no piece has taken yet. */
export class OpenReports {
  private readonly texts: string[];
  /** Indices of the reports that have a word, the first one last; once for each time that they have it. */
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

  /** Returns the first report that has these words one after the other; null if there is none. */
  reportOf(words: readonly string[]): number | null {
    const open = this.byWord.get(words[0] ?? '')?.slice(-MOST_SEARCHED) ?? [];
    if (open.length === 0) return null;
    const text = ` ${words.join(' ')} `;
    return open.findLast((index) => this.texts[index]!.includes(text)) ?? null;
  }

  /** Takes a word, from the given report if it is still there, and returns the kind of its report; null if no report has it. */
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

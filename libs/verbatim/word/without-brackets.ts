/** Position of found words in a text. */
export interface Place {
  at: number;
  length: number;
}

/** A bracketed part of a text: from the opening bracket to the position after the closing one. */
export interface Bracket {
  from: number;
  to: number;
}

/** A text without some of its brackets that maps positions back to the whole text. */
export class WithoutBrackets {
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

  /** Counts the joints at the start that satisfy a monotonic condition (binary search). */
  private jointsWhile(isSo: (joint: { at: number; gone: number }) => boolean): number {
    let [low, high] = [0, this.joints.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isSo(this.joints[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Where some words stand in a text. */
export interface Place {
  at: number;
  length: number;
}

/** From an opening bracket to behind the closing one. */
export interface Bracket {
  from: number;
  to: number;
}

/** A text without some of its brackets, and the places that its characters have in the whole. */
export class WithoutBrackets {
  private readonly text: string;
  /** Where the text goes on behind each bracket, and how much of the whole is gone before. */
  private readonly joints: { at: number; gone: number }[] = [];

  /** @param brackets in the order of the text, none within another */
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

  /** @param from a place in the whole, like the answer; undefined when the words do not stand behind it */
  find(sought: string, from: number): Place | undefined {
    const at = this.text.indexOf(sought, this.placeOf(from));
    if (at < 0) return undefined;
    const first = at + this.goneBefore(at);
    const last = at + sought.length - 1;
    return { at: first, length: last + this.goneBefore(last) - first + 1 };
  }

  /** The place of the first character of the whole from a place on that is left. */
  private placeOf(from: number): number {
    const before = this.jointsWhile(({ at, gone }) => at + gone <= from);
    return Math.min(from - (this.joints[before - 1]?.gone ?? 0), this.joints[before]?.at ?? from);
  }

  /** How much of the whole is gone before the character at a place. */
  private goneBefore(place: number): number {
    return this.joints[this.jointsWhile(({ at }) => at <= place) - 1]?.gone ?? 0;
  }

  /** How many joints are so, from the first on: up to one, all are, and none behind it. */
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

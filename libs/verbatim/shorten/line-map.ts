/** A line (1-based) that represents several. */
export interface Placeholder {
  line: number;
  lines: number;
}

/** Maps line numbers of a shortened text to the complete one. */
export class LineMap {
  /** Number of lines that the placeholders save in total. */
  readonly hidden: number;
  private readonly before: number[] = [];

  /** @param placeholders in ascending order */
  constructor(private readonly placeholders: Placeholder[]) {
    let sum = 0;
    for (const { lines } of placeholders) {
      this.before.push(sum);
      sum += lines - 1;
    }
    this.hidden = sum;
  }

  /** Returns the first line of the complete text that a line of the shortened text represents. */
  first(line: number): number {
    const index = this.countBefore(line);
    return line + (index < this.before.length ? (this.before[index] as number) : this.hidden);
  }

  /** Returns the last line of the complete text that a line of the shortened text represents. */
  last(line: number): number {
    const placeholder = this.placeholders[this.countBefore(line)];
    return this.first(line) + (placeholder?.line === line ? placeholder.lines - 1 : 0);
  }

  isPlaceholder(line: number): boolean {
    return this.placeholders[this.countBefore(line)]?.line === line;
  }

  private countBefore(line: number): number {
    let low = 0;
    let high = this.placeholders.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.placeholders[middle] as Placeholder).line < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

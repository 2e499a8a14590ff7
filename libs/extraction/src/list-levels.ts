/**
 * Indentation of list items, so that markdown nests them as the document does. An item without the items above it that it hangs from
 * would be read as code, so it moves out as far as the list at hand allows.
 */
export class ListLevels {
  /** Columns at which the text of the open item of each level begins. */
  private readonly columns: number[] = [];
  /** Level of the first item of the list at hand, which has no indentation. */
  private base = 0;

  /**
   * @param level 0 is the outermost
   * @param marker `-` or `1.`
   * @param continues whether the block before was an item, too
   * @returns the marker with its indentation and the blank behind it
   */
  prefix(level: number, marker: string, continues: boolean): string {
    if (!continues || level < this.base) this.base = level;
    this.columns.length = continues ? Math.min(level - this.base, this.columns.length) : 0;
    const indent = this.columns.at(-1) ?? 0;
    this.columns.push(indent + marker.length + 1);
    return `${' '.repeat(indent)}${marker} `;
  }

  /** Returns the indentation of further blocks of the last item. */
  indent(): string {
    return ' '.repeat(this.columns.at(-1) ?? 0);
  }

  /** Returns the indentation of the items of a level. */
  indentOf(level: number): string {
    return ' '.repeat(this.columns[level - this.base - 1] ?? 0);
  }
}

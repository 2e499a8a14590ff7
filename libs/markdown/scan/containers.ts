import { trimAsciiWhitespace } from '../trim.js';

/** Block quote (`indent` 0), or list item with content indented by `indent` columns. */
export interface Container {
  quote: boolean;
  indent: number;
  /** List marker as written (`-`, `1.`); empty for a quote. */
  marker: string;
}

/** Cursor over the container markers at the start of a line; columns count tabs as CommonMark does. */
export class LineCursor {
  private at = 0;
  private column = 0;
  /** Columns left over from a tab that a container consumed only in part. */
  private pending = 0;

  constructor(private readonly raw: string) {}

  /** Returns how many of the open containers this line continues. A blank line continues list items. */
  match(containers: Container[]): number {
    for (let depth = 0; depth < containers.length; depth++) {
      const container = containers[depth] as Container;
      if (container.quote ? !this.takeQuote() : !this.takeItem(container.indent)) return depth;
    }
    return containers.length;
  }

  private takeItem(indent: number): boolean {
    if (this.blank()) {
      this.skip(Math.min(indent, this.indent()));
      return true;
    }
    if (this.indent() < indent) return false;
    this.skip(indent);
    return true;
  }

  /** Consumes a `>` with at most three blanks before it and one after it. */
  takeQuote(): boolean {
    const indent = this.indent();
    if (indent > 3) return false;
    const at = this.markAt();
    if (this.raw[at] !== '>') return false;
    this.moveTo(at + 1, indent + 1);
    if (this.indent() > 0) this.skip(1);
    return true;
  }

  /** Returns the columns of white space before the next character. */
  indent(): number {
    let column = this.column + this.pending;
    for (let i = this.at; i < this.raw.length; i++) {
      if (this.raw[i] === ' ') column++;
      else if (this.raw[i] === '\t') column += 4 - (column % 4);
      else break;
    }
    return column - this.column;
  }

  blank(): boolean {
    const at = this.markAt();
    return at >= this.raw.length || trimAsciiWhitespace(this.raw.slice(at)) === '';
  }

  /** Returns the index of the next character other than a blank or tab. */
  markAt(): number {
    let i = this.at;
    while (this.raw[i] === ' ' || this.raw[i] === '\t') i++;
    return i;
  }

  moveTo(at: number, columns: number): void {
    this.column += columns;
    this.at = at;
    this.pending = 0;
  }

  skip(columns: number): void {
    const goal = this.column + columns;
    let column = this.column + this.pending;
    this.pending = 0;
    while (column < goal && this.at < this.raw.length) {
      column += this.raw[this.at] === '\t' ? 4 - (column % 4) : 1;
      this.at++;
    }
    this.column = goal;
    this.pending = Math.max(0, column - goal);
  }

  rest(): string {
    return this.pending > 0 ? ' '.repeat(this.pending) + this.raw.slice(this.at) : this.raw.slice(this.at);
  }
}

const MARKER = /^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/;

/**
 * Consumes a quote or list marker at the cursor, or returns null. Only a non-empty list item may interrupt a
 * paragraph, an ordered one only with number 1 (CommonMark 5.3).
 */
export function openContainer(cursor: LineCursor, inParagraph: boolean): Container | null {
  if (cursor.takeQuote()) return { quote: true, indent: 0, marker: '' };
  const indent = cursor.indent();
  const text = trimAsciiWhitespace(cursor.rest());
  const marker = MARKER.exec(text);
  if (!marker) return null;
  const empty = trimAsciiWhitespace(text.slice(marker[0].length)) === '';
  if (inParagraph && (empty || (marker[1] !== undefined && Number(marker[1]) !== 1))) return null;
  const width = marker[0].length;
  cursor.moveTo(cursor.markAt() + width, indent + width);
  const gap = cursor.indent();
  const padding = empty || gap > 4 ? 1 : gap;
  cursor.skip(Math.min(padding, gap));
  return { quote: false, indent: indent + width + padding, marker: marker[0] };
}

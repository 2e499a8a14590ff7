import { frontMatterLines, tomlFrontMatterLines } from '../front-matter.js';
import { closesFence, fenceStart, isHtmlBlock, isLoneTag, mathStart, rawHtmlEnd } from '../lines.js';
import { DEEPEST } from '../parse-cost.js';
import { trimAsciiWhitespace } from '../trim.js';
import {
  ATX,
  BREAK,
  headingText,
  isDelimiterRow,
  startsBlock,
  stripIndent,
  tableCells,
  type LineKind,
  type ScanOptions,
  type ScannedDocument,
  type ScannedFence,
  type ScannedLine,
} from './scan-text.js';

export type { LineKind, ScanOptions, ScannedDocument, ScannedLine } from './scan-text.js';
export { isDelimiterRow, isMeantAsTable, splitLines, tableCells } from './scan-text.js';

/** First line of a footnote. */
const NOTE = /^\[\^[^\]\s]+\]:/;

interface OpenFence {
  fence: ScannedFence;
  indent: number;
  depth: number;
}

/**
 * Classifies every line of a Markdown text in one pass (CommonMark blocks and GFM tables, without inline
 * parsing). Linear in the input; inside a code fence only the closing marker is recognized.
 */
export function scanMarkdown(lines: string[], options: ScanOptions = {}): ScannedDocument {
  return new Scanner(lines, options).run();
}

/** Returns whether a line is prose or a heading: its words matter, its line breaks do not. */
export function isText({ kind }: ScannedLine): boolean {
  return kind === 'prose' || kind === 'heading' || kind === 'setext';
}

class Scanner {
  private readonly out: ScannedLine[] = [];
  private readonly fences: ScannedFence[] = [];
  private containers: Container[] = [];
  private fence: OpenFence | null = null;
  /** Index of the first line of the open paragraph, or -1. */
  private paragraph = -1;
  private table = 0;
  /** End of the open HTML or math block: a pattern or a blank line. */
  private htmlEnd: RegExp | 'blank' | null = null;
  private indented = false;
  private marker = '';

  constructor(
    private readonly lines: string[],
    private readonly options: ScanOptions,
  ) {}

  run(): ScannedDocument {
    let i = this.frontMatter();
    for (; i < this.lines.length; i++) this.line(this.lines[i] as string);
    this.endIndented();
    this.closeFence('eof');
    return { lines: this.out, fences: this.fences };
  }

  private frontMatter(): number {
    const { frontMatter, tomlFrontMatter } = this.options;
    const count =
      (frontMatter ? frontMatterLines(this.lines) : 0) ||
      (tomlFrontMatter ? tomlFrontMatterLines(this.lines) : 0);
    for (let i = 0; i < count; i++) this.push('front_matter', this.lines[i] as string);
    return count;
  }

  private push(kind: LineKind, text: string, level = 0): void {
    let quotes = 0;
    for (const container of this.containers) if (container.quote) quotes++;
    this.out.push({ kind, text, level, quotes, lists: this.containers.length - quotes, marker: this.marker });
  }

  private line(raw: string): void {
    if (this.fence && this.containers.length === 0) return this.fenced(raw, this.fence);
    this.marker = '';
    const cursor = new LineCursor(raw);
    const matched = cursor.match(this.containers);
    if (this.fence) {
      if (matched >= this.fence.depth) return this.fenced(cursor.rest(), this.fence);
      this.closeFence('container');
    }
    this.block(cursor, matched);
  }

  private fenced(text: string, open: OpenFence): void {
    if (closesFence(text, open.fence.marker)) {
      this.push('fence_close', trimAsciiWhitespace(text));
      this.closeFence('fence');
    } else this.push('code', stripIndent(text, open.indent));
  }

  private closeFence(closedBy: ScannedFence['closedBy']): void {
    if (!this.fence) return;
    const { fence } = this.fence;
    fence.lastLine = this.out.length;
    fence.closedBy = closedBy;
    this.fences.push(fence);
    this.fence = null;
  }

  private block(cursor: LineCursor, matched: number): void {
    if (cursor.blank()) {
      // A list item may contain blank lines; a quote ends at a line without its marker.
      const quoteLost = this.containers.findIndex((container, depth) => depth >= matched && container.quote);
      if (quoteLost >= 0) this.containers.length = quoteLost;
      return this.blank(cursor);
    }
    const all = matched === this.containers.length;
    if (this.htmlEnd !== null && all) return this.html(cursor.rest());
    const lazy = !all && this.paragraph >= 0 && !startsBlock(cursor.rest());
    if (lazy) return this.push('prose', trimAsciiWhitespace(cursor.rest()));
    if (!all) this.leave(matched);
    this.openContainers(cursor);
    if (cursor.blank()) return this.blank(cursor);
    this.leaf(cursor);
  }

  private leave(depth: number): void {
    this.containers.length = depth;
    this.endParagraph();
    this.htmlEnd = null;
    this.endIndented();
  }

  private openContainers(cursor: LineCursor): void {
    while (this.containers.length < DEEPEST) {
      if (cursor.indent() >= 4 || BREAK.test(trimAsciiWhitespace(cursor.rest()))) return;
      const container = openContainer(cursor, this.paragraph >= 0);
      if (!container) return;
      this.endParagraph();
      this.endIndented();
      this.containers.push(container);
      if (container.marker)
        this.marker = this.marker ? `${this.marker} ${container.marker}` : container.marker;
    }
  }

  private blank(cursor: LineCursor): void {
    this.endParagraph();
    if (this.htmlEnd === 'blank') this.htmlEnd = null;
    // A list marker alone on its line is an empty item, not a blank line.
    if (this.marker) return this.push('prose', '');
    // Blank lines inside an indented block belong to it; `endIndented` reclassifies trailing ones.
    this.push(this.indented ? 'code' : 'blank', this.indented ? stripIndent(cursor.rest(), 4) : '');
  }

  private leaf(cursor: LineCursor): void {
    const text = cursor.rest();
    if (cursor.indent() >= 4 && this.paragraph < 0) {
      this.endParagraph();
      this.indented = true;
      return this.push('code', stripIndent(text, 4));
    }
    this.endIndented();
    const trimmed = trimAsciiWhitespace(text);
    if (cursor.indent() >= 4) return this.prose(trimmed);
    if (this.openFence(text)) return;
    const atx = ATX.exec(trimmed);
    if (atx) {
      this.endParagraph();
      return this.push('heading', headingText(trimmed, atx[0].length), (atx[1] as string).length);
    }
    if (this.paragraph >= 0 && /^(?:=+|-+)$/.test(trimmed) && !this.isNote()) return this.setext(trimmed);
    if (BREAK.test(trimmed)) {
      this.endParagraph();
      return this.push('prose', trimmed);
    }
    if (this.openMath(trimmed) || this.openHtml(trimmed)) return;
    if (this.tableLine(trimmed)) return;
    this.prose(trimmed);
  }

  private prose(text: string): void {
    if (this.paragraph < 0) this.paragraph = this.out.length;
    this.push('prose', text);
  }

  private endParagraph(): void {
    this.paragraph = -1;
    this.table = 0;
  }

  private endIndented(): void {
    if (!this.indented) return;
    this.indented = false;
    for (let i = this.out.length - 1; i >= 0; i--) {
      const line = this.out[i] as ScannedLine;
      if (line.kind !== 'code' || trimAsciiWhitespace(line.text) !== '') break;
      this.out[i] = { ...line, kind: 'blank', text: '' };
    }
  }

  /**
   * Returns whether the paragraph contains a footnote start; a setext underline does not apply to a footnote.
   */
  private isNote(): boolean {
    for (let i = this.paragraph; i < this.out.length; i++)
      if (NOTE.test((this.out[i] as ScannedLine).text)) return true;
    return false;
  }

  private setext(underline: string): void {
    const level = underline.startsWith('=') ? 1 : 2;
    for (let i = this.paragraph; i < this.out.length; i++) {
      const line = this.out[i] as ScannedLine;
      this.out[i] = { ...line, kind: 'setext', level };
    }
    this.push('underline', underline, level);
    this.endParagraph();
  }

  private openFence(text: string): boolean {
    const start = fenceStart(text);
    if (!start) return false;
    this.endParagraph();
    this.push('fence_open', trimAsciiWhitespace(text));
    const line = this.out.length;
    const { marker, info, indent } = start;
    const fence: ScannedFence = { line, lastLine: line, marker, info, closedBy: 'eof' };
    this.fence = { fence, indent, depth: this.containers.length };
    return true;
  }

  /** Opens a math block; its lines are not parsed as blocks. */
  private openMath(text: string): boolean {
    const dollars = mathStart(text);
    if (dollars === null) return false;
    this.endParagraph();
    this.push('prose', text);
    this.htmlEnd = new RegExp(`^[$]{${dollars.length},}[ \\t]*$`);
    return true;
  }

  private openHtml(text: string): boolean {
    if (!text.startsWith('<')) return false;
    const end = rawHtmlEnd(text);
    if (end === null && !isHtmlBlock(text) && !(this.paragraph < 0 && isLoneTag(text))) return false;
    this.htmlEnd = end ?? 'blank';
    this.endParagraph();
    this.html(text);
    return true;
  }

  private html(text: string): void {
    this.push('prose', trimAsciiWhitespace(text));
    if (this.htmlEnd instanceof RegExp && this.htmlEnd.test(text)) this.htmlEnd = null;
  }

  /**
   * Handles table lines: a delimiter row turns the paragraph's last line into a header if it has the same
   * number of cells; rows follow until a blank line.
   */
  private tableLine(text: string): boolean {
    if (this.table > 0) {
      this.push('table', text);
      return true;
    }
    if (this.paragraph < 0 || !isDelimiterRow(text)) return false;
    const header = this.out[this.out.length - 1];
    if (!header || header.kind !== 'prose') return false;
    const cells = tableCells(header.text);
    const columns = (tableCells(text) ?? [text]).length;
    if (cells?.length !== columns) return false;
    this.out[this.out.length - 1] = { ...header, kind: 'table' };
    this.endParagraph();
    this.table = columns;
    this.push('delimiter', text);
    return true;
  }
}

/** Block quote (`indent` 0), or list item with content indented by `indent` columns. */
interface Container {
  quote: boolean;
  indent: number;
  /** List marker as written (`-`, `1.`); empty for a quote. */
  marker: string;
}

/** Cursor over the container markers at the start of a line; columns count tabs as CommonMark does. */
class LineCursor {
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
function openContainer(cursor: LineCursor, inParagraph: boolean): Container | null {
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

import { trimBlanks } from './trim.js';
import {
  closesFence,
  fenceStart,
  FenceStart,
  indentOf,
  isFootnoteStart,
  isHtmlBlock,
  itemStart,
  mathStart,
  rawHtmlEnd,
  startsWithTag,
} from './lines.js';

/** Sequence of whole top-level blocks; lines are 1-based. */
export interface Piece {
  start: number;
  /** End of the last non-blank line. */
  end: number;
  /** End of the line before the next piece: blank lines can belong to an open block. */
  stop: number;
  line: number;
  /** Fence if the piece is exactly one fenced code block, else null. */
  fence: FenceStart | null;
}

interface OpenList {
  offset: number;
  empty: boolean;
  /** Whether the list may actually have ended, or never started. */
  uncertain: boolean;
}

/**
 * Splits a document between top-level blocks in one pass over its lines, so that each piece parses to the
 * same nodes as in the whole document (D24) and parsing time grows linearly. Splits only where this is
 * certain; if a construct is ambiguous, the rest of the document becomes a single piece, which is always
 * correct.
 *
 * @param source Markdown with `\n` or `\r\n` line endings
 */
export function splitBlocks(source: string): Piece[] {
  return new Splitter(source).run();
}

class Splitter {
  private readonly pieces: Piece[] = [];
  private pieceStart = -1;
  private pieceLine = 0;
  private lastEnd = 0;
  private afterBlank = true;
  private list: OpenList | null = null;
  /** Until a blank line: certainly inside HTML ('html') or possibly ('doubt'). */
  private raw: 'html' | 'doubt' | null = null;

  private lineStart = 0;
  private lineEnd = 0;
  private previousEnd = 0;
  private lineNumber = 0;
  private next = 0;
  private line = '';

  constructor(private readonly source: string) {}

  run(): Piece[] {
    while (this.readLine()) {
      if (trimBlanks(this.line) === '') this.blankLine();
      else if (!this.blockLine()) {
        this.lastEnd = this.source.length;
        break;
      }
    }
    if (this.pieceStart >= 0) this.lastEnd = this.source.length;
    this.flush(this.source.length);
    return this.pieces;
  }

  private readLine(): boolean {
    if (this.next >= this.source.length) return false;
    this.lineStart = this.next;
    this.previousEnd = this.lineEnd;
    const at = this.source.indexOf('\n', this.lineStart);
    this.next = at < 0 ? this.source.length : at + 1;
    this.lineEnd = at < 0 ? this.source.length : at;
    if (this.lineEnd > this.lineStart && this.source.charCodeAt(this.lineEnd - 1) === 13) this.lineEnd--;
    this.line = this.source.slice(this.lineStart, this.lineEnd);
    this.lineNumber++;
    return true;
  }

  private blankLine(): void {
    this.afterBlank = true;
    this.raw = null;
    if (this.list?.empty) this.list.offset = Infinity;
  }

  /** Consumes a non-blank line; returns false if nothing after it can be split with certainty. */
  private blockLine(): boolean {
    const indent = indentOf(this.line);
    if (this.raw === 'html') return this.take();
    if (this.list && indent >= this.list.offset) {
      this.list.empty = false;
      if (this.list.uncertain && indent < 4 && this.startsOpaque()) return this.giveUp();
      if (this.list.uncertain && startsWithTag(this.line)) this.raw = 'doubt';
      return this.take();
    }
    if (indent >= 4) return this.take();
    if (this.startsOpaque()) return this.raw === 'doubt' ? this.giveUp() : this.opaque();
    return this.plainLine();
  }

  /** Returns whether the line opens a block that may contain blank lines and markers. */
  private startsOpaque(): boolean {
    const first = this.line.trimStart()[0];
    if (first === '`' || first === '~') return fenceStart(this.line) !== null;
    if (first === '$') return mathStart(this.line) !== null;
    return first === '<' && rawHtmlEnd(this.line) !== null;
  }

  private opaque(): boolean {
    const fence = fenceStart(this.line);
    if (fence) return this.fencedCode(fence);
    const math = mathStart(this.line);
    if (this.afterBlank) this.flush(this.previousEnd);
    this.list = null;
    if (math) return this.takeUntil((line) => closesFence(line, math), false);
    if (/<!--?-?>/.test(this.line)) return this.giveUp();
    const end = rawHtmlEnd(this.line);
    return this.takeUntil((line) => end !== null && end.test(line), true);
  }

  private fencedCode(fence: FenceStart): boolean {
    this.flush(this.previousEnd);
    this.list = null;
    this.takeUntil((line) => closesFence(line, fence.marker), false);
    this.flush(this.lastEnd, fence);
    return true;
  }

  private takeUntil(closes: (line: string) => boolean, fromFirst: boolean): boolean {
    this.take();
    let closed = fromFirst && closes(this.line);
    while (!closed && this.readLine()) {
      closed = closes(this.line);
      this.take();
    }
    if (!closed) this.lastEnd = this.source.length;
    this.afterBlank = !fromFirst;
    return true;
  }

  private plainLine(): boolean {
    const item = itemStart(this.line);
    const footnote = isFootnoteStart(this.line);
    if (this.afterBlank && (footnote || !(this.list && item)) && !this.line.startsWith('\uFEFF')) {
      this.flush(this.previousEnd);
      this.list = null;
    }
    if (item || footnote) this.openList(item?.offset ?? 4, item?.empty ?? false, item?.interrupts ?? false);
    else if (this.list) this.list.uncertain = true;
    if (startsWithTag(this.line)) this.raw = isHtmlBlock(this.line) ? 'html' : 'doubt';
    return this.take();
  }

  private openList(offset: number, empty: boolean, interrupts: boolean): void {
    const certain = this.afterBlank || interrupts || this.list?.uncertain === false;
    this.list = { offset, empty, uncertain: !certain };
  }

  private take(): true {
    if (this.pieceStart < 0) {
      this.pieceStart = this.lineStart;
      this.pieceLine = this.lineNumber;
    }
    this.lastEnd = this.lineEnd;
    this.afterBlank = false;
    return true;
  }

  private giveUp(): false {
    this.take();
    return false;
  }

  private flush(stop: number, fence: FenceStart | null = null): void {
    if (this.pieceStart >= 0)
      this.pieces.push({ start: this.pieceStart, end: this.lastEnd, stop, line: this.pieceLine, fence });
    this.pieceStart = -1;
    this.afterBlank = true;
  }
}

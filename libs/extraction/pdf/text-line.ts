import type { Tag } from './tags.js';
import type { TextPiece } from './text-piece.js';

/** Text of a line between two gaps. */
export interface LinePart {
  text: string;
  x: number;
  right: number;
}

/** Neighbouring pieces on one baseline. */
export interface TextLine {
  text: string;
  x: number;
  right: number;
  y: number;
  size: number;
  /** Whether all letters are bold. */
  bold: boolean;
  /** Text of the line, split at gaps wider than a blank: table cells may be that close. */
  parts: LinePart[];
  pieces: TextPiece[];
  /** Whether the line is part of a footnote below a column. */
  isNote?: boolean;
  /** Cells of a table row and the number of its table on the page; absent outside tables. */
  row?: { cells: string[]; table: number };
  /** Tag of the text that it belongs to; absent on a page without trustworthy tags. */
  tag?: Tag;
}

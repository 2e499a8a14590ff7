/**
 * Positioned text. Lengths are in points; `y` is the distance from the bottom of the page to the baseline.
 */
export interface TextPiece {
  text: string;
  x: number;
  y: number;
  width: number;
  /** Font size. */
  size: number;
  bold: boolean;
  /** 1 for letters raised above their line, -1 for lowered ones; absent if only their place says so. */
  rise?: number;
  /** Whether the text is struck through. */
  struck?: boolean;
  /** Number of the marked text that it belongs to; absent outside of any, and -1 for decoration. */
  mark?: number;
  /** Whether `x` is the distance of the right end from the right edge of the page, which is read from there. */
  mirrored?: boolean;
}

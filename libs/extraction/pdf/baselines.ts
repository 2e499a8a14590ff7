import type { TextPiece } from './text-piece.js';

/** Pieces on one baseline. */
export interface BaselineRow {
  y: number;
  pieces: TextPiece[];
}

/** Groups pieces by exact baseline, from top to bottom. */
export function baselineRows(pieces: readonly TextPiece[]): BaselineRow[] {
  const rows: BaselineRow[] = [];
  for (const piece of [...pieces].sort((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    if (row && row.y - piece.y < 0.5) row.pieces.push(piece);
    else rows.push({ y: piece.y, pieces: [piece] });
  }
  return rows;
}

/** Returns the largest font size of pieces or lines; 0 without any. Works for any number of them. */
export function largestSize(texts: Iterable<{ size: number }>): number {
  let largest = 0;
  for (const { size } of texts) largest = Math.max(largest, size);
  return largest;
}

import type { DrawnPage, DrawnPiece, PdfPage } from './page.js';
import { runsToLeft } from './text-direction.js';

/**
 * Splits a page by text direction and rotates each part to run from left to right. The first part is the
 * page's main direction, the one with most letters; labels along a margin and diagonal stamps follow. Text of right-to-left scripts
 * is mirrored, so that its columns, lists and tables are laid out as those of other scripts.
 */
export function byDirection({ width, height, pieces, rules = [] }: DrawnPage): PdfPage[] {
  const groups = new Map<number, DrawnPiece[]>();
  for (const piece of pieces) {
    const own = groups.get(piece.degrees);
    if (own) own.push(piece);
    else groups.set(piece.degrees, [piece]);
  }
  const letters = (own: readonly DrawnPiece[]): number => own.reduce((sum, { text }) => sum + text.length, 0);
  return [...groups]
    .sort(([, a], [, b]) => letters(b) - letters(a))
    .map(([degrees, own]) => {
      const page = turned(own, degrees, { width, height });
      const whole = degrees === 0 ? { ...page, rules } : page;
      return runsToLeft(own) ? mirrored(whole) : whole;
    });
}

function mirrored({ width, height, pieces, rules }: PdfPage): PdfPage {
  return {
    width,
    height,
    pieces: pieces.map((piece) => ({ ...piece, x: width - piece.x - piece.width, mirrored: true })),
    ...(rules && { rules: rules.map((rule) => ({ ...rule, x: width - rule.right, right: width - rule.x })) }),
  };
}

/** Rotates pieces that run at an angle so that they become horizontal. */
function turned(
  pieces: readonly DrawnPiece[],
  degrees: number,
  { width, height }: { width: number; height: number },
): PdfPage {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const place = (x: number, y: number): [number, number] => [x * cos + y * sin, y * cos - x * sin];
  const corners = [place(0, 0), place(width, 0), place(0, height), place(width, height)];
  const least = [0, 1].map((axis) => Math.min(...corners.map((corner) => corner[axis]!))) as [number, number];
  const most = [0, 1].map((axis) => Math.max(...corners.map((corner) => corner[axis]!))) as [number, number];
  return {
    width: most[0] - least[0],
    height: most[1] - least[1],
    pieces: pieces.map(({ degrees: _, ...piece }) => {
      const [across, up] = place(piece.x, piece.y);
      return { ...piece, x: across - least[0], y: up - least[1] };
    }),
  };
}

import type { DrawnPage, DrawnPiece, PdfPage } from './page.js';

/**
 * A page by the directions in which its words run, each turned so that they run from left to right: first the one with most letters, which
 * is that of the page; a label that runs up a margin, or a stamp across the page, after it.
 */
export function byDirection({ width, height, pieces }: DrawnPage): PdfPage[] {
  const groups = new Map<number, DrawnPiece[]>();
  for (const piece of pieces) {
    const own = groups.get(piece.degrees);
    if (own) own.push(piece);
    else groups.set(piece.degrees, [piece]);
  }
  const letters = (own: readonly DrawnPiece[]): number => own.reduce((sum, { text }) => sum + text.length, 0);
  return [...groups]
    .sort(([, a], [, b]) => letters(b) - letters(a))
    .map(([degrees, own]) => turned(own, degrees, { width, height }));
}

/** Pieces that run at an angle, as a reader sees them who turns the page by it. */
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
    pieces: pieces.map(({ text, x, y, width: length, size, bold }) => {
      const [across, up] = place(x, y);
      return { text, x: across - least[0], y: up - least[1], width: length, size, bold };
    }),
  };
}

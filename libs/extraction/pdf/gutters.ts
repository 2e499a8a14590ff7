import type { BaselineRow } from './baselines.js';

/** White space between two columns. `from` and `to` are its first and last row, `x` is within it. */
export interface Gutter {
  from: number;
  to: number;
  x: number;
  /** Rows with text on the left and on the right. */
  left: number;
  right: number;
}

/** Minimum width of a gutter relative to the font size; a blank of a typewriter font has 0.6. */
const NARROWEST = 0.62;
/** Width of a bin in points, and maximum number of bins of a page. */
const BIN = 0.5;
const MOST_BINS = 3_000;
/** Maximum number of rows times bins; hostile pages exceed it. */
const MOST_CELLS = 2_000_000;

/**
 * Returns the vertical strips of white space with text on both sides, the strips along most rows first.
 *
 * @param size usual font size in points
 * @param least minimum number of rows on each side
 */
export function guttersOf(rows: readonly BaselineRow[], size: number, least: number): Gutter[] {
  const all = rows.flatMap(({ pieces }) => pieces);
  const start = all.reduce((x, piece) => Math.min(x, piece.x), Infinity);
  const end = all.reduce((x, piece) => Math.max(x, piece.x + piece.width), -Infinity);
  if (!(end - start > size * NARROWEST)) return [];
  const bin = Math.max(BIN, (end - start) / MOST_BINS);
  const bins = Math.ceil((end - start) / bin);
  if (bins * rows.length > MOST_CELLS) return [];
  const width = Math.ceil((size * NARROWEST) / bin) + 1;
  const grid = new Grid(rows, { start, bin, bins, width });
  const found = new Map<number, Gutter & { bins: number }>();
  for (let at = 0; at < bins; at++)
    for (const strip of grid.stripsAt(at)) {
      if (Math.min(strip.left, strip.right) < least) continue;
      const key = strip.from * rows.length + strip.to;
      const wider = found.get(key);
      if (!wider) found.set(key, { ...strip, x: start + (at + width / 2) * bin, bins: 1 });
      // Use the middle of neighbouring strips along the same rows.
      else if (wider.left === strip.left && wider.right === strip.right) {
        wider.bins++;
        wider.x += bin / 2;
      }
    }
  return [...found.values()].sort((a, b) => lesser(b) - lesser(a) || b.bins - a.bins);
}

const lesser = ({ left, right }: Gutter): number => Math.min(left, right);

interface Scale {
  start: number;
  bin: number;
  bins: number;
  /** Width of a strip in bins. */
  width: number;
}

/** White space in the rows of a region. */
class Grid {
  /** 1 if a strip of white space begins at a bin, by bin and row. */
  private readonly white: Uint8Array;
  /** First and last bin with text, by row. */
  private readonly first: Int32Array;
  private readonly last: Int32Array;
  private readonly height: number;

  constructor(
    rows: readonly BaselineRow[],
    private readonly scale: Scale,
  ) {
    const { start, bin, bins, width } = scale;
    this.height = rows.length;
    this.white = new Uint8Array(bins * rows.length);
    this.first = new Int32Array(rows.length).fill(bins);
    this.last = new Int32Array(rows.length).fill(-1);
    const inked = new Uint8Array(bins);
    for (const [at, { pieces }] of rows.entries()) {
      inked.fill(0);
      for (const piece of pieces) {
        const from = Math.min(bins - 1, Math.round((piece.x - start) / bin));
        const to = Math.min(bins, Math.max(from + 1, Math.round((piece.x + piece.width - start) / bin)));
        inked.fill(1, from, to);
        this.first[at] = Math.min(this.first[at]!, from);
        this.last[at] = Math.max(this.last[at]!, to - 1);
      }
      let free = 0;
      for (let place = bins - 1; place >= 0; place--) {
        free = inked[place] === 0 ? free + 1 : 0;
        if (free >= width) this.white[place * this.height + at] = 1;
      }
    }
  }

  /** Yields the longest strips that begin at a bin. */
  *stripsAt(place: number): Generator<Omit<Gutter, 'x'>> {
    const end = place + this.scale.width;
    let [from, left, right] = [0, 0, 0];
    for (let at = 0; at <= this.height; at++) {
      if (at < this.height && this.white[place * this.height + at] === 1) {
        if (this.first[at]! < place) left++;
        if (this.last[at]! >= end) right++;
        continue;
      }
      if (left > 0 && right > 0) yield { from, to: at - 1, left, right };
      [from, left, right] = [at + 1, 0, 0];
    }
  }
}

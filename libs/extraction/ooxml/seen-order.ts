/** Place of a box on a slide, from its upper left corner, in any unit. */
export interface Box {
  x: number;
  y: number;
  right: number;
  bottom: number;
}

interface Placed<Item> {
  item: Item;
  box: Box;
}

/** Share of its size by which a box may overlap the next one on each side. */
const OVERLAP = 0.05;

/**
 * Returns items in the order in which a reader sees their boxes: the widest strip of space divides them, into rows from the top or columns
 * from the left, and each part again. Boxes that overlap are read from the top; a frame comes before the boxes in it. Items at one place
 * stay in their order.
 */
export function inSeenOrder<Item>(items: readonly Placed<Item>[]): Item[] {
  if (items.length < 2) return items.map(({ item }) => item);
  const rows = cut(items, 'y', 'bottom');
  const columns = cut(items, 'x', 'right');
  const best = columns && (!rows || columns.gap > rows.gap) ? columns : rows;
  if (best) return best.parts.flatMap(inSeenOrder);
  const frame = items.find(({ box }) => items.every((other) => isAround(box, other.box)));
  if (frame) return [frame.item, ...inSeenOrder(items.filter((each) => each !== frame))];
  return [...items].sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x).map(({ item }) => item);
}

/** Divides items at the widest gap along one axis; null if there is none. */
function cut<Item>(
  items: readonly Placed<Item>[],
  from: 'x' | 'y',
  to: 'right' | 'bottom',
): { gap: number; parts: Placed<Item>[][] } | null {
  const ordered = [...items].sort((a, b) => a.box[from] - b.box[from]);
  let end = -Infinity;
  let best = { gap: -Infinity, at: 0 };
  for (const [at, { box }] of ordered.entries()) {
    const gap = box[from] - end;
    if (at > 0 && gap > best.gap) best = { gap, at };
    end = Math.max(end, box[to] - (box[to] - box[from]) * OVERLAP);
  }
  if (best.gap < 0) return null;
  return { gap: best.gap, parts: [ordered.slice(0, best.at), ordered.slice(best.at)] };
}

function isAround(frame: Box, { x, y, right, bottom }: Box): boolean {
  const [middle, centre] = [(x + right) / 2, (y + bottom) / 2];
  return middle >= frame.x && middle <= frame.right && centre >= frame.y && centre <= frame.bottom;
}

/** A range in each of two sequences, ends excluded. */
export interface AnchorRange {
  a0: number;
  a1: number;
  b0: number;
  b1: number;
}

/**
 * Numbers of consecutive IDs that are compared if single IDs repeat: lines of a log repeat, but rarely four
 * in a row.
 */
const RUN_LENGTHS = [1, 4, 16];

/**
 * Returns pairs of positions at which an ID, or a sequence of IDs, occurs once on each side, reduced to the
 * longest series that ascends on both sides. Empty if nothing is unique.
 */
export function uniqueAnchors(a: Int32Array, b: Int32Array, range: AnchorRange): [number, number][] {
  for (const length of RUN_LENGTHS) {
    const pairs = uniquePairs(a, b, range, length);
    if (pairs.length > 0) return longestRising(pairs);
  }
  return [];
}

interface Seen {
  a: number;
  b: number;
}

const NONE = -1;
const MANY = -2;

function uniquePairs(a: Int32Array, b: Int32Array, range: AnchorRange, length: number): [number, number][] {
  const seen = new Map<number | string, Seen>();
  const key = (ids: Int32Array, at: number) =>
    length === 1 ? (ids[at] as number) : ids.subarray(at, at + length).join();
  for (let i = range.a0; i + length <= range.a1; i++) {
    const id = key(a, i);
    const entry = seen.get(id);
    if (entry) entry.a = MANY;
    else seen.set(id, { a: i, b: NONE });
  }
  for (let j = range.b0; j + length <= range.b1; j++) {
    if ((b[j] as number) < 0) continue;
    const entry = seen.get(key(b, j));
    if (entry) entry.b = entry.b === NONE ? j : MANY;
  }
  const pairs: [number, number][] = [];
  for (const entry of seen.values()) {
    if (entry.a >= 0 && entry.b >= 0 && (a[entry.a] as number) >= 0) pairs.push([entry.a, entry.b]);
  }
  // A map iterates in insertion order, which is the order of `a`.
  return pairs;
}

/**
 * Returns the longest series of pairs with ascending second members (the first ones already ascend), by
 * patience sorting.
 */
function longestRising(pairs: [number, number][]): [number, number][] {
  const tails: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  for (let i = 0; i < pairs.length; i++) {
    const value = (pairs[i] as [number, number])[1];
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] as number] as [number, number])[1] < value) low = middle + 1;
      else high = middle;
    }
    previous[i] = low > 0 ? (tails[low - 1] as number) : -1;
    tails[low] = i;
  }
  const series: [number, number][] = [];
  for (let i = tails.at(-1) ?? -1; i >= 0; i = previous[i] as number)
    series.push(pairs[i] as [number, number]);
  return series.reverse();
}

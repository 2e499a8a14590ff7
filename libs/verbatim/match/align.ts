/** Maximum number of differences in one search; limits the effort to about this many steps per ID. */
const MAX_DIFFERENCES = 96;

/**
 * Myers' greedy diff over the IDs that occur on both sides of the range; writes matches into `match`. If the
 * differences exceed the limit, it keeps the furthest path and restarts the search at its end: matches remain
 * in order but may not be the longest.
 */
function boundedDiff(a: Int32Array, b: Int32Array, range: AnchorRange, match: Int32Array): void {
  const inB = new Set<number>();
  for (let j = range.b0; j < range.b1; j++) inB.add(b[j] as number);
  const inA = new Set<number>();
  for (let i = range.a0; i < range.a1; i++) inA.add(a[i] as number);
  const left = shared(a, range.a0, range.a1, inB);
  const right = shared(b, range.b0, range.b1, inA);
  let x = 0;
  let y = 0;
  while (x < left.length && y < right.length) {
    const path = search(a, b, left, right, x, y);
    for (const [u, v] of path.matches) match[left[u] as number] = right[v] as number;
    x = path.x;
    y = path.y;
  }
}

function shared(ids: Int32Array, from: number, to: number, others: Set<number>): number[] {
  const kept: number[] = [];
  for (let i = from; i < to; i++) if ((ids[i] as number) >= 0 && others.has(ids[i] as number)) kept.push(i);
  return kept;
}

interface Path {
  matches: [number, number][];
  x: number;
  y: number;
}

function search(a: Int32Array, b: Int32Array, left: number[], right: number[], x0: number, y0: number): Path {
  const n = left.length - x0;
  const m = right.length - y0;
  const limit = Math.min(MAX_DIFFERENCES, n + m);
  const offset = limit + 1;
  const furthest = new Int32Array(2 * limit + 3).fill(-1);
  furthest[offset + 1] = 0;
  const history: Int32Array[] = [];
  for (let d = 0; d <= limit; d++) {
    history.push(furthest.slice(offset - d - 1, offset + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down =
        k === -d || (k !== d && (furthest[offset + k - 1] as number) < (furthest[offset + k + 1] as number));
      let x = down ? (furthest[offset + k + 1] as number) : (furthest[offset + k - 1] as number) + 1;
      let y = x - k;
      while (x < n && y < m && a[left[x0 + x] as number] === b[right[y0 + y] as number]) {
        x++;
        y++;
      }
      furthest[offset + k] = x;
      if (x >= n && y >= m) return trace(history, d, k, x, x0, y0);
    }
  }
  return furthestPath(furthest, history, { limit, offset, n, m, x0, y0 });
}

interface Frame {
  limit: number;
  offset: number;
  n: number;
  m: number;
  x0: number;
  y0: number;
}

function furthestPath(furthest: Int32Array, history: Int32Array[], frame: Frame): Path {
  let best = -1;
  let bestK = 0;
  for (let k = -frame.limit; k <= frame.limit; k += 2) {
    const x = furthest[frame.offset + k] as number;
    const y = x - k;
    if (x > frame.n || y > frame.m || y < 0) continue;
    if (x + y > best) {
      best = x + y;
      bestK = k;
    }
  }
  return trace(history, frame.limit, bestK, furthest[frame.offset + bestK] as number, frame.x0, frame.y0);
}

/**
 * Walks the recorded rounds back from (x, x - k) and collects the matched pairs in ascending order.
 * `history[d]` starts at diagonal -d - 1.
 */
function trace(
  history: Int32Array[],
  rounds: number,
  lastK: number,
  lastX: number,
  x0: number,
  y0: number,
): Path {
  const matches: [number, number][] = [];
  let x = lastX;
  let k = lastK;
  for (let d = rounds; d >= 0; d--) {
    const before = history[d] as Int32Array;
    const at = (diagonal: number) => before[diagonal + d + 1] as number;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const start = d === 0 ? 0 : down ? at(k + 1) : at(k - 1) + 1;
    for (; x > start; x--) matches.push([x0 + x - 1, y0 + x - 1 - k]);
    if (d === 0) break;
    k = down ? k + 1 : k - 1;
    x = at(k);
  }
  return { matches: matches.reverse(), x: x0 + lastX, y: y0 + lastX - lastK };
}

interface Range {
  a0: number;
  a1: number;
  b0: number;
  b1: number;
  depth: number;
}

const MAX_DEPTH = 48;

/**
 * Aligns two sequences of IDs in order. Returns for each index of `a` the matching index of `b`, or -1;
 * matched indices ascend, and negative IDs match nothing. Patience diff: equal ends, then IDs (or runs of
 * IDs) that are unique on both sides, then a bounded diff. So the time grows with the length, not with the
 * number of differences.
 */
export function align(a: Int32Array, b: Int32Array): Int32Array {
  const match = new Int32Array(a.length).fill(-1);
  const stack: Range[] = [{ a0: 0, a1: a.length, b0: 0, b1: b.length, depth: 0 }];
  for (let range = stack.pop(); range; range = stack.pop()) {
    const rest = stripEnds(a, b, range, match);
    const sizeA = rest.a1 - rest.a0;
    const sizeB = rest.b1 - rest.b0;
    if (sizeA === 0 || sizeB === 0) continue;
    const small = sizeA * sizeB <= 1024 || rest.depth >= MAX_DEPTH;
    const anchors = small ? [] : uniqueAnchors(a, b, rest);
    if (anchors.length === 0) boundedDiff(a, b, rest, match);
    else splitAt(anchors, rest, stack, match);
  }
  return match;
}

function stripEnds(a: Int32Array, b: Int32Array, range: Range, match: Int32Array): Range {
  let { a0, a1, b0, b1 } = range;
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0] && (a[a0] as number) >= 0) match[a0++] = b0++;
  while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1] && (a[a1 - 1] as number) >= 0) match[--a1] = --b1;
  return { a0, a1, b0, b1, depth: range.depth };
}

/** Splits a range at anchors, which are pairs [a, b] in ascending order on both sides. */
function splitAt(anchors: [number, number][], range: Range, stack: Range[], match: Int32Array): void {
  let { a0, b0 } = range;
  const depth = range.depth + 1;
  for (const [x, y] of anchors) {
    match[x] = y;
    if (x > a0 && y > b0) stack.push({ a0, a1: x, b0, b1: y, depth });
    a0 = x + 1;
    b0 = y + 1;
  }
  if (a0 < range.a1 && b0 < range.b1) stack.push({ a0, a1: range.a1, b0, b1: range.b1, depth });
}

/** A range in each of two sequences, ends excluded. */
interface AnchorRange {
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
function uniqueAnchors(a: Int32Array, b: Int32Array, range: AnchorRange): [number, number][] {
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

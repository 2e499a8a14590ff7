import { uniqueAnchors } from './anchors.js';
import { boundedDiff } from './bounded-diff.js';

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

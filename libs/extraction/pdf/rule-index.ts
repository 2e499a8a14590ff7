import type { Rule } from './rules.js';

/** Start and end of a rule along its direction. */
type Span = [from: number, to: number];

/** Most places across the rules that one look-up visits. */
const MOST_PLACES = 60;

/** Finds rules of one direction by place; look-ups take logarithmic time. */
export class RuleIndex {
  /** Merged spans along the rules by their place across, in whole points. */
  private readonly spans = new Map<number, Span[]>();

  constructor(rules: readonly Rule[], isHorizontal: boolean) {
    for (const { x, right, y, top } of rules) {
      if (right - x > top - y !== isHorizontal) continue;
      const place = Math.round(isHorizontal ? (y + top) / 2 : (x + right) / 2);
      const span: Span = isHorizontal ? [x, right] : [y, top];
      const own = this.spans.get(place);
      if (own) own.push(span);
      else this.spans.set(place, [span]);
    }
    for (const [place, own] of this.spans) this.spans.set(place, mergeSpans(own));
  }

  /** Returns whether a rule with its place between `from` and `to` passes the given coordinate along its direction. */
  has(from: number, to: number, along: number): boolean {
    if (this.spans.size === 0) return false;
    const first = Math.round(from);
    const last = Math.min(Math.round(to), first + MOST_PLACES);
    for (let place = first; place <= last; place++) {
      const own = this.spans.get(place);
      if (own && contains(own, along)) return true;
    }
    return false;
  }
}

function mergeSpans(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

function contains(spans: readonly Span[], along: number): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]![0] <= along) low = middle + 1;
    else high = middle;
  }
  const before = spans[low - 1];
  return before !== undefined && along <= before[1];
}

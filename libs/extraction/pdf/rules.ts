import { countWhile } from '#contracts/count-while.js';
import type { Operators } from './pdfjs.js';

/** Affine transformation in PDF order: the images of the x and y unit vectors, then the translation. */
export type Matrix = readonly [number, number, number, number, number, number];

/** Multiplies two transformations; `inner` is applied first. */
export function times(outer: Matrix, inner: Matrix): Matrix {
  // Destructuring takes most of the time of a page with many letters.
  const a = outer[0];
  const b = outer[1];
  const c = outer[2];
  const d = outer[3];
  return [
    a * inner[0] + c * inner[1],
    b * inner[0] + d * inner[1],
    a * inner[2] + c * inner[3],
    b * inner[2] + d * inner[3],
    a * inner[4] + c * inner[5] + outer[4],
    b * inner[4] + d * inner[5] + outer[5],
  ];
}

/** Thin horizontal or vertical line on a page, in points; `y` is its lower end, `top` its upper end. */
export interface Rule {
  x: number;
  right: number;
  y: number;
  top: number;
}

/** Maximum thickness of a rule in points; thicker areas are backgrounds. */
const THICKEST = 3;
/** Minimum length of a rule in points, and relative to its thickness. */
const SHORTEST = 3;
const SLENDER = 2;
/** Rules of one page that are looked at; drawings have more lines than tables. */
const MOST_RULES = 20_000;
/** Number of coordinates of each path operator of pdf.js: move, line, curve, close. */
const COORDINATES = [2, 2, 6, 0];
const [MOVE, CURVE, CLOSE] = [0, 2, 3];

type Point = readonly [x: number, y: number];

/** Collects the thin lines among the paths that a page draws. */
export class RuleCollector {
  readonly found: Rule[] = [];
  private lineWidth = 1;
  private readonly strokes: ReadonlySet<number | undefined>;
  private readonly fills: ReadonlySet<number | undefined>;

  constructor(names: Operators) {
    this.strokes = new Set([names.stroke, names.closeStroke]);
    this.fills = new Set(
      [names.fill, names.eoFill, names.fillStroke, names.eoFillStroke].concat(
        ...[names.closeFillStroke, names.closeEOFillStroke],
      ),
    );
  }

  setLineWidth(points: number): void {
    this.lineWidth = points;
  }

  /**
   * Adds the rules of one path.
   *
   * @param paint operator that draws the path
   * @param path operators and coordinates of pdf.js
   */
  add(paint: number, path: unknown, ctm: Matrix): void {
    const isStroke = this.strokes.has(paint);
    if ((!isStroke && !this.fills.has(paint)) || !ArrayBuffer.isView(path)) return;
    const thickness = this.lineWidth * Math.hypot(ctm[0], ctm[1]);
    for (const points of subpaths(path as Float32Array, ctm)) {
      if (!isStroke) this.keep(boxOf(points));
      else if (thickness <= THICKEST)
        for (let at = 1; at < points.length; at++) this.keep(boxOf([points[at - 1]!, points[at]!]));
    }
  }

  private keep(box: Rule): void {
    const [width, height] = [box.right - box.x, box.top - box.y];
    const [long, thin] = [Math.max(width, height), Math.min(width, height)];
    if (this.found.length < MOST_RULES && thin <= THICKEST && long >= SHORTEST && long >= thin * SLENDER)
      this.found.push(box);
  }
}

/** Returns a transformed point. */
export const pointOn = (ctm: Matrix, x: number, y: number): Point => [
  ctm[0] * x + ctm[2] * y + ctm[4],
  ctm[1] * x + ctm[3] * y + ctm[5],
];

/** Yields the corners of each part of a path, on the page. Skips parts with curves. */
function* subpaths(path: Float32Array, ctm: Matrix): Generator<Point[]> {
  let points: Point[] = [];
  for (let at = 0; at < path.length;) {
    const operator = path[at]!;
    const length = COORDINATES[operator];
    if (length === undefined) return;
    if (operator === MOVE && points.length > 0) {
      yield points;
      points = [];
    }
    if (operator === CURVE) points = [];
    else if (operator === CLOSE && points.length > 0) points.push(points[0]!);
    else if (operator !== CLOSE) points.push(pointOn(ctm, path[at + 1]!, path[at + 2]!));
    at += length + 1;
  }
  if (points.length > 0) yield points;
}

/** Returns the smallest upright rectangle around points. */
export function boxOf(points: readonly Point[]): Rule {
  const box = { x: Infinity, right: -Infinity, y: Infinity, top: -Infinity };
  for (const [x, y] of points) {
    box.x = Math.min(box.x, x);
    box.right = Math.max(box.right, x);
    box.y = Math.min(box.y, y);
    box.top = Math.max(box.top, y);
  }
  return box;
}

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
  const before = spans[countWhile(spans.length, (index) => spans[index]![0] <= along) - 1];
  return before !== undefined && along <= before[1];
}

/** Vectors of one collection and model, one after the other in memory. */
export interface VectorMatrix {
  count: number;
  dimensions: number;
  /** Floats of 4 bytes, `dimensions` for each vector. */
  values: SharedArrayBuffer;
  /** The number of each vector's source. */
  sources: SharedArrayBuffer;
}

export interface ScanRequest {
  matrix: VectorMatrix;
  query: Float32Array;
  limit: number;
  /** Numbers of the sources that may be found; all may when absent. */
  allowed?: number[];
}

/** A vector by its place, with its similarity to the query. */
export interface ScanHit {
  place: number;
  similarity: number;
}

/** The vectors nearest to the query, best first: each is looked at, so that none is missed. */
export function scanVectors({ matrix, query, limit, allowed }: ScanRequest): ScanHit[] {
  const { count, dimensions } = matrix;
  const values = new Float32Array(matrix.values);
  const sources = new Int32Array(matrix.sources);
  const may = allowed && new Set(allowed);
  let best: ScanHit[] = [];
  let threshold = -Infinity;
  for (let place = 0; place < count; place++) {
    if (may && !may.has(sources[place]!)) continue;
    const similarity = dot(values, place * dimensions, query);
    if (similarity <= threshold) continue;
    best.push({ place, similarity });
    if (best.length < 4 * limit + 64) continue;
    best = cut(best, limit);
    threshold = best.at(-1)!.similarity;
  }
  return cut(best, limit);
}

const cut = (hits: ScanHit[], limit: number) =>
  hits.sort((a, b) => b.similarity - a.similarity || a.place - b.place).slice(0, limit);

/** Four sums at a time, which the processor adds side by side. */
function dot(values: Float32Array, from: number, query: Float32Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  let at = 0;
  for (; at + 3 < query.length; at += 4) {
    a += values[from + at]! * query[at]!;
    b += values[from + at + 1]! * query[at + 1]!;
    c += values[from + at + 2]! * query[at + 2]!;
    d += values[from + at + 3]! * query[at + 3]!;
  }
  for (; at < query.length; at++) a += values[from + at]! * query[at]!;
  return a + b + c + d;
}

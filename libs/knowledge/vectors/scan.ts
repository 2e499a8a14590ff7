/** Vectors of one collection and model, stored consecutively. */
export interface VectorMatrix {
  count: number;
  dimensions: number;
  /** Floats of 4 bytes, `dimensions` for each vector. */
  values: SharedArrayBuffer;
  /** Source number of each vector. */
  sources: SharedArrayBuffer;
}

export interface ScanRequest {
  matrix: VectorMatrix;
  query: Float32Array;
  limit: number;
  /** Numbers of the sources that may be found; absent for all. */
  allowed?: number[];
}

/** Position of a found vector in the matrix, with its similarity to the query. */
export interface ScanHit {
  place: number;
  similarity: number;
}

/** Returns the vectors nearest to the query, best first. It compares every vector, so that none is missed. */
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

/**
 * Returns the dot product of a query and the values from a position on. Four independent sums let the processor add in
 * parallel.
 */
export function dot(values: Float32Array, from: number, query: Float32Array): number {
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

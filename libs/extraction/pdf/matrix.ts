/** Affine transformation in PDF order: the images of the x and y unit vectors, then the translation. */
export type Matrix = readonly [number, number, number, number, number, number];

/** Multiplies two transformations; `inner` is applied first. */
export function times(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [
    ...([a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j] as const),
    ...([a * k + c * l + e, b * k + d * l + f] as const),
  ];
}

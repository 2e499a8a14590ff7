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

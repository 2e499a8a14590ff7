/**
 * Returns how many of `length` items at the start satisfy a condition that no item after one that fails it satisfies (binary
 * search).
 */
export function countWhile(length: number, isSo: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

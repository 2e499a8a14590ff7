/** Returns the number of characters with which two texts begin alike. */
export function sharedPrefix(a: string, b: string): number {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a[length] === b[length]) length++;
  return length;
}

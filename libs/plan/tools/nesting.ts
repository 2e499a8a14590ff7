/**
 * Maximum nesting of lists and objects in a result: code that reads or stores a result recurses as deeply.
 */
export const MAX_RESULT_DEPTH = 1_000;

/** Returns whether lists and objects nest deeper than `levels`; works without recursion. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  const isBranch = (item: unknown): item is object => typeof item === 'object' && item !== null;
  let level: object[] = isBranch(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === levels) return true;
    level = level.flatMap((branch) => Object.values(branch).filter(isBranch));
  }
  return false;
}

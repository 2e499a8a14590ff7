/** JSON Pointers (RFC 6901). */

/** Returns the name that a step of a pointer stands for. */
export const nameOfStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns a pointer that leads one name further. */
export const pointerTo = (pointer: string, name: string): string =>
  `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Returns the value at a pointer; undefined if it does not exist. */
export function valueAt(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  if (!pointer.startsWith('/')) return undefined;
  let at: unknown = value;
  for (const step of pointer.slice(1).split('/')) {
    const key = nameOfStep(step);
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** A rectangle of cells; rows and columns count from 1, the last ones belong to it. */
export interface Range {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Returns the column of a reference such as `AB12`; 0 if it names none. */
export function columnOf(reference: string): number {
  const letters = /^\$?([A-Z]{1,3})/i.exec(reference)?.[1]?.toUpperCase() ?? '';
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

/** Returns the row of a reference such as `AB12`; 0 if it names none. */
export const rowOf = (reference: string): number => Number(/(\d{1,7})$/.exec(reference)?.[1] ?? 0);

/** Returns the cells of a reference such as `A1:B2` or `C3`. */
export function rangeOf(reference: string): Range {
  const [first = '', last = first] = reference.split(':');
  return { top: rowOf(first), bottom: rowOf(last), left: columnOf(first), right: columnOf(last) };
}

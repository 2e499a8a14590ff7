/** Value of a cell for computing; dates are ISO 8601 texts. */
export type CellValue = string | number | boolean | null;

/** A sheet of a spreadsheet as rows of values. */
export interface Grid {
  /** Name of the sheet. */
  sheet: string;
  /** Names of all sheets of the file. */
  sheets: string[];
  /** Rows from the first of the sheet; cells and rows may be missing at their ends. */
  rows: CellValue[][];
  /** Number of values in hidden rows and columns, which are included. */
  hidden: number;
}

/** A value and its place; rows and columns count from 1. */
export interface PlacedValue {
  row: number;
  column: number;
  value: CellValue;
}

/** Number of places for each value up to which rows are filled with nulls: few values may be far apart. */
const MOST_PLACES = 20_000_000;

/** Returns rows of values, with null where there is none. @throws RangeError if the values are too far apart */
export function rowsOf(cells: readonly PlacedValue[]): CellValue[][] {
  const width = cells.reduce((most, { column }) => Math.max(most, column), 0);
  const height = cells.reduce((most, { row }) => Math.max(most, row), 0);
  if (width * height > MOST_PLACES) throw new RangeError('The cells of the sheet are too far apart');
  const rows = Array.from({ length: height }, () => Array<CellValue>(width).fill(null));
  for (const { row, column, value } of cells) rows[row - 1]![column - 1] = value;
  return rows;
}

/** Returns the sheet with a name, otherwise the first; undefined if there is none. */
export const chosenSheet = <T extends { name: string }>(
  sheets: readonly T[],
  name: string | undefined,
): T | undefined => (name === undefined ? sheets[0] : sheets.find((sheet) => sheet.name === name));

import type { DocumentText } from './document-text.js';

/** A cell with words; rows and columns count from 1. */
export interface PlacedCell {
  row: number;
  column: number;
  markdown: string;
}

/** Maximum number of table cells per cell with words. Sparser tables are written cell by cell. */
const MOST_PLACES_PER_CELL = 50;
const FEW_PLACES = 20_000;

/** Writes cells as a table without empty rows and columns; a large, nearly empty table as paragraphs instead. */
export function writeCells(text: DocumentText, cells: readonly PlacedCell[]): void {
  const places = [...new Set(cells.map(({ column }) => column))].sort((a, b) => a - b);
  const rows = new Set(cells.map(({ row }) => row)).size;
  if (rows * places.length > Math.max(FEW_PLACES, cells.length * MOST_PLACES_PER_CELL)) {
    for (const { row, column, markdown } of cells) text.paragraph([`${addressOf(row, column)}: ${markdown}`]);
    return;
  }
  const placeOf = new Map(places.map((column, place) => [column, place]));
  const lines = new Map<number, string[]>();
  for (const { row, column, markdown } of cells) {
    const line = lines.get(row) ?? new Array<string>(places.length).fill('');
    line[placeOf.get(column)!] = markdown;
    lines.set(row, line);
  }
  text.table([...lines].sort(([a], [b]) => a - b).map(([, line]) => line));
}

/** Returns the reference of a cell, such as `AB12`. */
export function addressOf(row: number, column: number): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return `${letters}${row}`;
}

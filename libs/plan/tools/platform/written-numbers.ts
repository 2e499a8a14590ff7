import type { SqlValue } from 'sql.js';
import { writtenColumn } from './number-style.js';

/**
 * Converts texts that are numbers to numbers for SQLite, because tables from CSV contain only texts, and restores
 * numbers that JSON would write with other digits: `1.10`.
 */
export class WrittenNumbers {
  /** Texts by number, by the name of their column in lower case. */
  private readonly originals = new Map<string, Map<number, string>>();

  /**
   * Returns a function that converts the values of a column. If the column has two decimals that are one number
   * (`1.1` and `1.10`), they are names, such as versions, and stay texts. `10` and `10.00` are amounts.
   * Numbers written as `120,50` or `1,234.56` become numbers; of these, results do not restore the writing.
   */
  converter(column: string, values: readonly unknown[]): (value: unknown) => SqlValue {
    const styled = writtenColumn(values);
    // A query that reads 1.234,56 itself deletes the dots first, and would delete the point of a number.
    if (styled && styled.style.group !== '.') return (value) => toSqlValue(styled.plain(value));
    const texts = new Map<number, Set<string>>();
    for (const value of values) {
      if (typeof value !== 'string' || !isNumber(value)) continue;
      const same = texts.get(Number(value)) ?? new Set();
      texts.set(Number(value), same.add(value));
    }
    const written = [...texts].map(([number, same]) => ({ number, same: [...same] }));
    if (written.some(({ same }) => same.filter((text) => text.includes('.')).length > 1)) return toTextValue;
    const name = column.toLowerCase();
    const originals = this.originals.get(name) ?? new Map<number, string>();
    for (const { number, same } of written)
      if (same.length === 1 && same[0] !== String(number)) originals.set(number, same[0]!);
    this.originals.set(name, originals);
    return toSqlValue;
  }

  /** Returns a number in a column of a result, as a text if a table's column of this name writes it so. */
  original(column: string, number: number): number | string {
    return this.originals.get(column.toLowerCase())?.get(number) ?? number;
  }
}

const toTextValue = (value: unknown): SqlValue => (typeof value === 'string' ? value : toSqlValue(value));

/** Converts a value for SQLite; values that are not scalar become JSON text. */
export function toSqlValue(value: unknown): SqlValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') return isNumber(value) ? Number(value) : value;
  return JSON.stringify(value);
}

/** Returns whether a text is a number that keeps all its digits when converted. */
const isNumber = (text: string): boolean =>
  /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text) &&
  text.replace(/\D/g, '').length <= 15 &&
  text !== '-0';

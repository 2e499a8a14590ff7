import { phrase } from '#contracts/phrases/phrase.js';
import type { SqlValue } from 'sql.js';
import { ToolCallError } from '../tool.js';

/** Kinds of cells in a column of a table. */
interface ColumnCells {
  hasNumbers: boolean;
  hasEmpty: boolean;
  /** A text that is not a number and not empty. */
  text: string | null;
}

/** Texts among the values of columns, by name. If two tables have columns with the same name, the one with fewer texts counts. */
export class TextCells {
  private readonly columns = new Map<string, ColumnCells>();

  add(name: string, values: readonly SqlValue[]): void {
    const texts = values.filter((value) => typeof value === 'string');
    const cells = {
      hasNumbers: values.some((value) => typeof value === 'number'),
      hasEmpty: texts.includes(''),
      text: texts.find((text) => text !== '') ?? null,
    };
    const other = this.columns.get(name.toLowerCase());
    if (!other || (other.text !== null && cells.text === null)) this.columns.set(name.toLowerCase(), cells);
  }

  of(name: string): ColumnCells | undefined {
    return this.columns.get(name.toLowerCase());
  }
}

const COLUMN =
  /(?:["[`]?[\p{L}\p{N}_]+["\]`]?\s?\.\s?)?(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|([\p{L}_][\p{L}\p{N}_]*))/u
    .source;
const AGGREGATE = new RegExp(
  `\\b(sum|total|avg|min|max)\\s?\\(\\s?(?:distinct\\s)?\\s?${COLUMN}\\s?\\)`,
  'giu',
);
const FACTOR = new RegExp(
  `(?<![\\p{L}\\p{N}_."\\]\`])${COLUMN}\\s?[*/]|[*/]\\s?${COLUMN}(?!\\s?[(.]|[\\p{L}\\p{N}_])`,
  'giu',
);

/**
 * Refuses a query that computes with a column of texts: SQLite reads `12 kg` as 12, `1.234,56` as 1.234 and
 * `n/a` as 0, so that the result would be wrong without notice. A query that converts the texts is not concerned.
 *
 * @throws ToolCallError `not_a_number`
 */
export function requireNumbers(sql: string, cells: TextCells): void {
  const code = sql.replace(/'(?:[^']|'')*'|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\//g, "''").replace(/\s+/g, ' ');
  for (const [, kind, ...names] of code.matchAll(AGGREGATE)) {
    const name = names.find((each) => each !== undefined)!;
    const column = cells.of(name);
    if (column) refuseIfText(name, column, kind!.toLowerCase());
  }
  for (const [, ...names] of code.matchAll(FACTOR)) {
    const name = names.find((each) => each !== undefined)!;
    const text = cells.of(name)?.text;
    if (text != null) throw notANumber(name, text);
  }
}

function refuseIfText(name: string, { hasNumbers, hasEmpty, text }: ColumnCells, kind: string): void {
  const isComparison = kind === 'min' || kind === 'max';
  if (text !== null && (!isComparison || hasNumbers)) throw notANumber(name, text);
  // An empty cell would count as 0 in the average.
  if (kind === 'avg' && hasEmpty) throw notANumber(name, '');
}

const notANumber = (name: string, text: string): ToolCallError =>
  new ToolCallError(
    'not_a_number',
    phrase('tool_error.sql_no_number', {
      column: name,
      value: JSON.stringify(text).slice(0, 60),
      leaveOut: `CASE WHEN typeof(${name}) <> 'text' THEN ${name} END`,
      convert: `CAST(REPLACE(${name}, ' kg', '') AS REAL)`,
    }),
  );

import { decimalOf, type Decimal } from './decimal.js';
import { digitsOf } from './exact-json.js';

/** Mark before the decimals of a number. */
export type DecimalMark = ',' | '.';

/** How the numbers of a column are written: `1.234,56` has `,` before its decimals and `.` between groups. */
interface NumberStyle {
  decimal: DecimalMark;
  group: '' | ',' | '.' | ' ' | "'";
}

/** Returns a name as an identifier of SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** SQL type of a column without values, which fits where a number, a date or a text is expected. */
export const UNKNOWN_TYPE = '"NULL"';

/** How a column of a table is stored by the SQL engine. */
export interface Column {
  /** Type in SQL. */
  type: string;
  /** Returns a value as the engine reads it; null if it has none. */
  convert(value: unknown): string | null;
  /** The first text in a column of texts in which some look like numbers, null in other columns. */
  sample: string | null;
}

/** Fixed, thin and narrow spaces also separate thousands. */
const SPACES = '\u00A0\u2009\u202F';
const STYLES: readonly NumberStyle[] = [
  { decimal: '.', group: '' },
  { decimal: ',', group: '' },
  { decimal: ',', group: '.' },
  { decimal: ',', group: ' ' },
  { decimal: ',', group: "'" },
  { decimal: '.', group: ',' },
  { decimal: '.', group: ' ' },
  { decimal: '.', group: "'" },
];
/**
 * Form of a text that may be a number, in the syntax of both JavaScript and the SQL engine: an amount with a
 * currency or a unit, a percentage, a date with dots or slashes. Sorted as texts, they would be in a wrong order.
 */
export const NUMBER_FORM = String.raw`^[\s${SPACES}]*[-+−(]?[\s${SPACES}]*(?:\p{Sc}[\s${SPACES}]?|[A-Z]{3}[\s${SPACES}])?[-+−]?\d[\d.,'/ ${SPACES}]*[^\d\s]{0,12}\s*$`;
/** Longer texts are not read as numbers. */
const MAX_LENGTH = 60;
const LIKE_NUMBER = new RegExp(NUMBER_FORM, 'u');
const isLikeNumber = (text: string): boolean => text.length <= MAX_LENGTH && LIKE_NUMBER.test(text);
/** A sign, a currency, the digits and a unit. */
const PARTS = /^(-?)(\p{Sc}?|[A-Z]{3}(?= )) ?(-?\d(?:[\d.,' ]*\d)?) ?([^\d\s.,'-][^\d\s]{0,11})?$/u;
const DATES = [
  { pattern: /^(?<y>\d{4})-(?<m>\d{2})-(?<d>\d{2})$/ },
  { pattern: /^(?<d>\d{1,2})\.(?<m>\d{1,2})\.(?<y>\d{4})$/ },
  { pattern: /^(?<d>\d{1,2})\/(?<m>\d{1,2})\/(?<y>\d{4})$/ },
  { pattern: /^(?<m>\d{1,2})\/(?<d>\d{1,2})\/(?<y>\d{4})$/ },
];

/**
 * Returns the type of a column from all of its values together: `1,234` alone may be a thousand or a little more
 * than one. A column is one of numbers or dates only if each of its values is one and can be read in one way.
 */
export function columnOf(values: readonly unknown[]): Column {
  const cells = values.filter((value) => !isBlank(value));
  if (cells.length === 0) return { type: UNKNOWN_TYPE, convert: () => null, sample: null };
  if (cells.every((cell) => typeof cell === 'boolean'))
    return { type: 'BOOLEAN', convert: (value) => (isBlank(value) ? null : String(value)), sample: null };
  const toPlain = plainNumbers(cells);
  const type = toPlain && !areNames(cells) ? numberType(cells.map((cell) => toPlain(cell)!)) : null;
  if (toPlain && type)
    return { type, convert: (value) => (isBlank(value) ? null : toPlain(value)), sample: null };
  const toDate = dateReader(cells);
  if (toDate)
    return { type: 'DATE', convert: (value) => (isBlank(value) ? null : toDate(value)), sample: null };
  const texts = cells.map(toText);
  const isGuarded = texts.some((text) => isLikeNumber(text!));
  const sample = texts.find((text) => !isLikeNumber(text!)) ?? texts[0];
  return {
    type: 'VARCHAR',
    convert: (value) => (isBlank(value) ? null : toText(value)),
    sample: isGuarded ? sample! : null,
  };
}

/**
 * Returns the decimal mark that some columns of a table need; null if none or both do.
 *
 * @param columns values of each column
 */
export function guessDecimal(columns: readonly (readonly unknown[])[]): DecimalMark | null {
  const needs = (mark: DecimalMark, other: DecimalMark) =>
    columns.some((cells) => plainNumbers(cells, mark) !== null && plainNumbers(cells, other) === null);
  const [comma, point] = [needs(',', '.'), needs('.', ',')];
  return comma === point ? null : comma ? ',' : '.';
}

/**
 * Returns the values of a column as JSON numbers, with null for blanks; null if they are not all numbers without a unit that JSON keeps exactly.
 *
 * @param decimal their decimal mark; null if only numbers that can be read in one way are read
 */
export function numbersOf(values: readonly unknown[], decimal: DecimalMark | null): (number | null)[] | null {
  const cells = values.filter((value) => !isBlank(value));
  const toPlain = plainNumbers(cells, decimal);
  if (!toPlain || areNames(cells) || cells.some((cell) => typeof cell === 'string' && hasUnit(cell)))
    return null;
  const isExact = (text: string) => digitsOf(text) === digitsOf(String(Number(text)));
  if (!cells.every((cell) => isExact(toPlain(cell)!))) return null;
  return values.map((value) => (isBlank(value) ? null : Number(toPlain(value))));
}

const hasUnit = (text: string): boolean => amountIn(text)?.unit !== '';

/** Returns a function that reads the numbers of a column as it writes them; null for other values. */
export function numberReader(values: readonly unknown[]): (value: unknown) => Decimal | null {
  const cells = values.filter((value) => !isBlank(value));
  const toPlain = plainNumbers(cells);
  // Of a column that is not one of numbers, a caller names the first value that is none, or the first of all.
  const hasOthers = cells.some((cell) => decimalOf(cell) === null);
  return (value) => decimalOf(toPlain ? toPlain(value) : hasOthers ? value : null);
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

function toText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const normalSpaces = (text: string): string => text.replace(new RegExp(`[${SPACES}]`, 'g'), ' ').trim();

/**
 * Returns a function that turns a value of the column into a plain number, such as `-1234.56`; null if the values
 * are not all numbers of one unit, or can be read in two ways.
 *
 * @param decimal null for any decimal mark
 */
function plainNumbers(
  values: readonly unknown[],
  decimal: DecimalMark | null = null,
): ((value: unknown) => string | null) | null {
  const cells = values.filter((value) => !isBlank(value));
  const texts = cells.filter((cell) => typeof cell === 'string');
  if (cells.length === 0 || !cells.every((cell) => typeof cell === 'string' || Number.isFinite(cell)))
    return null;
  const amounts = [...new Set(texts)].map(amountIn);
  if (amounts.some((amount) => amount === null)) return null;
  const units = new Set(amounts.map((amount) => amount!.unit));
  // A number without a unit beside texts with one may have another.
  if (units.size > 1 || (texts.length < cells.length && ![...units].every((unit) => unit === '')))
    return null;
  const digits = amounts.map((amount) => amount!.digits);
  const fitting = STYLES.filter(
    (style) =>
      (decimal === null || style.decimal === decimal) && digits.every((text) => pattern(style).test(text)),
  );
  const [style] = fitting;
  if (!style) return null;
  const readings = new Set(fitting.map((each) => digits.map((text) => plainOf(text, each)).join(' ')));
  if (readings.size > 1) return null;
  return (value) => {
    if (typeof value === 'number') return String(value);
    const amount = typeof value === 'string' ? amountIn(value) : null;
    return amount && plainOf(amount.digits, style);
  };
}

function amountIn(text: string): { digits: string; unit: string } | null {
  const normal = normalSpaces(text);
  const match = normal.length > MAX_LENGTH ? null : PARTS.exec(normal);
  if (!match) return null;
  const [, sign = '', currency = '', digits = '', unit = ''] = match;
  if (sign !== '' && digits.startsWith('-')) return null;
  return { digits: sign + digits, unit: `${currency} ${unit}`.trim() };
}

const escaped = (mark: string): string => (mark === '.' ? '\\.' : mark);

/** A number that begins with a 0, such as a postal code, is a name. */
function pattern({ decimal, group }: NumberStyle): RegExp {
  const grouped = group === '' ? '' : `|[1-9]\\d{0,2}(?:${escaped(group)}\\d{3})+`;
  return new RegExp(`^-?(?:0|[1-9]\\d*${grouped})(?:${escaped(decimal)}\\d+)?$`);
}

const plainOf = (text: string, { decimal, group }: NumberStyle): string =>
  (group === '' ? text : text.replaceAll(group, '')).replace(decimal, '.');

/** Returns whether two decimals of a column are one number (`1.1` and `1.10`): such decimals are names, as of versions. */
function areNames(cells: readonly unknown[]): boolean {
  const texts = new Set(cells.filter((cell) => typeof cell === 'string' && /^\d+\.\d+$/.test(cell)));
  return new Set([...texts].map(Number)).size < texts.size;
}

/** Returns the SQL type that stores plain numbers exactly; null if none does. */
function numberType(numbers: readonly string[]): string | null {
  if (numbers.some((number) => number.includes('e'))) return 'DOUBLE';
  const parts = numbers.map((number) => number.replace('-', '').split('.'));
  const most = (index: number) =>
    parts.reduce((longest, part) => Math.max(longest, part[index]?.length ?? 0), 0);
  const [whole, scale] = [most(0), most(1)];
  if (whole + scale <= 18) return scale === 0 ? 'BIGINT' : `DECIMAL(${whole + scale}, ${scale})`;
  if (scale === 0 && whole <= 38) return 'HUGEINT';
  return numbers.every((number) => String(Number(number)) === number) ? 'DOUBLE' : null;
}

function dateReader(cells: readonly unknown[]): ((value: unknown) => string | null) | null {
  if (cells.length === 0) return null;
  const readers = DATES.map(
    ({ pattern }) =>
      (value: unknown) =>
        dateIn(value, pattern),
  );
  const fitting = readers.filter((read) => cells.every((cell) => read(cell) !== null));
  const readings = new Set(fitting.map((read) => cells.map(read).join(' ')));
  return readings.size === 1 ? fitting[0]! : null;
}

function dateIn(value: unknown, pattern: RegExp): string | null {
  const groups = typeof value === 'string' ? pattern.exec(value.trim())?.groups : undefined;
  if (!groups) return null;
  const iso = `${groups['y']}-${groups['m']!.padStart(2, '0')}-${groups['d']!.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null;
}

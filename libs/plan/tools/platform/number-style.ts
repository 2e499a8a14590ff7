import { decimalOf, type Decimal } from './decimal.js';

/** How the numbers of a column are written: `1.234,56` has `,` before its decimals and `.` between groups. */
interface NumberStyle {
  decimal: ',' | '.';
  group: '' | ',' | '.' | ' ' | "'";
}

/** A column whose texts are all numbers, though not all of them plain ones such as `-12.50`. */
interface WrittenColumn {
  style: NumberStyle;
  /** Returns a text of the column as a plain number; other values as they are. */
  plain(value: unknown): unknown;
}

const STYLES: readonly NumberStyle[] = [
  { decimal: ',', group: '' },
  { decimal: ',', group: '.' },
  { decimal: ',', group: ' ' },
  { decimal: ',', group: "'" },
  { decimal: '.', group: ',' },
  { decimal: '.', group: ' ' },
  { decimal: '.', group: "'" },
];
const PLAIN = /^[+-]?\d+(?:\.\d+)?$/;

/**
 * Returns how the numbers of a column are written, from all of its values together: `1,234` alone may be a
 * thousand or a little more than one. Null if the texts are plain numbers, are not all numbers, or can be read
 * in two ways.
 */
export function writtenColumn(values: readonly unknown[]): WrittenColumn | null {
  const texts = [
    ...new Set(values.filter((value) => typeof value === 'string').map((text) => normalSpaces(text))),
  ].filter((text) => text !== '');
  if (texts.every((text) => PLAIN.test(text))) return null;
  const fitting = STYLES.filter((style) => texts.every((text) => pattern(style).test(text)));
  const [style] = fitting;
  if (!style) return null;
  const readings = fitting.map((each) => texts.map((text) => plainOf(text, each)).join(' '));
  if (new Set(readings).size > 1) return null;
  return {
    style,
    plain: (value) => (typeof value === 'string' ? plainOf(normalSpaces(value), style) : value),
  };
}

/** Returns a function that reads the numbers of a column as it writes them; null for other values. */
export function numberReader(values: readonly unknown[]): (value: unknown) => Decimal | null {
  const written = writtenColumn(values);
  return (value) => decimalOf(written ? written.plain(value) : value);
}

/** Thousands are also separated by narrow and by fixed spaces. */
const normalSpaces = (text: string): string => text.replace(/[\u00A0\u2009\u202F]/g, ' ').trim();

const escaped = (mark: string): string => (mark === '.' ? '\\.' : mark);

function pattern({ decimal, group }: NumberStyle): RegExp {
  const grouped = group === '' ? '' : `|[1-9]\\d{0,2}(?:${escaped(group)}\\d{3})+`;
  return new RegExp(`^[+-]?(?:\\d+${grouped})(?:${escaped(decimal)}\\d+)?$`);
}

const plainOf = (text: string, { decimal, group }: NumberStyle): string =>
  (group === '' ? text : text.replaceAll(group, '')).replace(decimal, '.');

/** An exact decimal number: `digits` divided by ten to the power of `scale`. */
export interface Decimal {
  digits: bigint;
  scale: number;
}

/** Digits of a number that are read exactly. Longer texts are not read as numbers. */
const MAX_DIGITS = 40;
const WRITTEN = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?$/;

/** Returns a number, or a text that is a plain decimal number such as `-12.50`, exactly; null for other values. */
export function decimalOf(value: unknown): Decimal | null {
  if (typeof value === 'number') return Number.isFinite(value) ? decimalOf(plain(value)) : null;
  if (typeof value !== 'string') return null;
  const match = WRITTEN.exec(value.trim());
  if (!match) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const digits = BigInt(whole + fraction);
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length };
}

/** Returns the digits of a number without an exponent, as JSON would round-trip them. */
function plain(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(Math.min(MAX_DIGITS, 20)) : text;
}

/** Adds decimals without rounding. */
export function sumOf(numbers: readonly Decimal[]): Decimal {
  const scale = numbers.reduce((most, number) => Math.max(most, number.scale), 0);
  const digits = numbers.reduce(
    (total, number) => total + number.digits * 10n ** BigInt(scale - number.scale),
    0n,
  );
  return { digits, scale };
}

/** Returns the nearest JSON number. */
export function toNumber({ digits, scale }: Decimal): number {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const number = Number(`${text.slice(0, text.length - scale)}.${text.slice(text.length - scale) || '0'}`);
  return digits < 0n ? -number : number;
}

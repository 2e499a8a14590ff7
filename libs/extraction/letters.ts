const ROMAN: [number, string][] = [
  [1000, 'm'], [900, 'cm'], [500, 'd'], [400, 'cd'], [100, 'c'], [90, 'xc'], [50, 'l'], [40, 'xl'], [10, 'x'], [9, 'ix'], [5, 'v'], [4, 'iv'], [1, 'i'],
]; // prettier-ignore
const LARGEST_ROMAN = 3_999;

/** Returns a number as letters: a to z, then aa, ab and so on. Returns null below 1. */
export function letterNumber(value: number): string | null {
  if (value < 1) return null;
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26))
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
  return text;
}

/** Returns a Roman number in small letters; null below 1 and above 3,999. */
export function romanNumber(value: number): string | null {
  if (value < 1 || value > LARGEST_ROMAN) return null;
  let text = '';
  let rest = value;
  for (const [worth, sign] of ROMAN) for (; rest >= worth; rest -= worth) text += sign;
  return text;
}

import { format, getFormatFromId, isDateFormat } from 'numfmt';

/** Days between the two systems in which workbooks count dates. */
const DAYS_TO_1904 = 1_462;
const LONGEST_FORMAT = 1_000;
/** JavaScript's numbers are exact up to this number of digits. */
const EXACT_DIGITS = 15;
/** Currency with a language, which changes nothing but the language of names: `[$€-407]`. */
const CURRENCY = /\[\$([^\]-]{1,20})(?:-[^\]]{0,20})?\]/g;
const LANGUAGE = /\[\$-[^\]]{0,40}\]/g;
/** Duration, such as `[h]:mm`, which does not count from a day. */
const DURATION = /\[(?:h+|m+|s+)\]/i;

/** Returns the code of a built-in number format by its ID. */
export const builtInFormat = (id: number): string => getFormatFromId(id) ?? 'General';

/**
 * Returns a number as a spreadsheet shows it. Numbers without a format have all their digits, even in narrow cells.
 *
 * @param value as stored: `0.256`, `1.5E-3`
 * @param code such as `0.0%` or `yyyy-mm-dd`
 * @returns '' if the format shows nothing
 */
export function numberText(value: string, code: string, is1904 = false): string {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return value;
  const isLong = /^-?\d+$/.test(value) && value.replace('-', '').length > EXACT_DIGITS;
  if (/^General$/i.test(code) || code === '' || code.length > LONGEST_FORMAT)
    return isLong ? value : generalText(number);
  try {
    const pattern = code.replace(CURRENCY, '"$1"');
    if (isDateFormat(pattern))
      return format(pattern, is1904 && !DURATION.test(code) ? number + DAYS_TO_1904 : number).trim();
    return format(pattern.replace(LANGUAGE, ''), isLong ? BigInt(value) : number, {
      bigintErrorNumber: true,
    }).trim();
  } catch {
    return generalText(number);
  }
}

/**
 * Returns a number for computing: with the digits that Excel keeps, a date or time as ISO 8601 text, and as displayed if it is a duration or
 * not a number.
 *
 * @param value as stored: `0.256`, `45000.75`
 */
export function numberValue(value: string, code: string, is1904: boolean): string | number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return value;
  const pattern = code.length > LONGEST_FORMAT ? '' : code.replace(CURRENCY, '"$1"');
  if (DURATION.test(pattern)) return numberText(value, code, is1904);
  if (!isDateFormat(pattern)) return Number(number.toPrecision(EXACT_DIGITS));
  const iso = number < 1 ? 'hh:mm:ss' : Number.isInteger(number) ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss';
  return numberText(value, iso, is1904);
}

/** Returns text as a format displays it, such as `"No. "@`. */
export function formattedText(text: string, code: string): string {
  if (!code.includes('@') || code === '@' || code.length > LONGEST_FORMAT) return text;
  try {
    return format(code, text);
  } catch {
    return text;
  }
}

function generalText(number: number): string {
  const text = String(Number(number.toPrecision(EXACT_DIGITS)));
  return text.replace(
    /e([+-])(\d+)$/,
    (_, sign: string, power: string) => `E${sign}${power.padStart(2, '0')}`,
  );
}

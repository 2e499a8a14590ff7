import { hasWords } from '#contracts/text.js';
import { format as formatted, getFormatFromId, isDateFormat } from 'numfmt';
import { walkXml } from '../xml.js';

const DAY_MS = 86_400_000;
/** Day 0 of the date system of 1900, in ms. */
const EPOCH = Date.UTC(1899, 11, 30);
const LONGEST_FORMAT = 1_000;
/** Currency, which is shown, and language, which is not: `[$€-407]`, `[$-409]`. */
const CURRENCY = /\[\$([^\]-]{1,20})(?:-[^\]]{0,20})?\]/g;
const LANGUAGE = /\[\$-[^\]]{0,40}\]/g;
/** Duration: `[h]:mm`. */
const DURATION = /\[(?:h+|m+|s+)\]/i;
/** Integer with more digits than JavaScript's numbers have. */
const LONG = /^-?\d{16,}$/;

/** Returns the number format of each cell style of a workbook. */
export function readFormats(xml: string): string[] {
  const own = new Map<number, string>();
  const formats: string[] = [];
  let inCells = false;
  walkXml(xml, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt') own.set(Number(numFmtId), formatCode);
      if (name === 'cellXfs') inCells = true;
      if (name === 'xf' && inCells)
        formats.push(own.get(Number(numFmtId)) ?? getFormatFromId(Number(numFmtId)) ?? 'General');
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return formats;
}

/**
 * Returns the forms in which a number may be shown: by its format; without one also as it is stored, or with the digits that cells show.
 * Returns none for a zero that the format shows as a dash or not at all.
 *
 * @param firstDay number of the first day in the date system of 1900; not 0 in a workbook with the date system of 1904
 */
export function numberVersions(value: string, format: string, firstDay = 0): Set<string> {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return new Set([value]);
  const shown = formsOf(value, format.slice(0, LONGEST_FORMAT), firstDay);
  if (number === 0 && shown.length > 0 && !hasWords(shown[0]!)) return new Set();
  // Stored numbers have 17 digits; a reader sees at most 15, and 11 in most cells.
  const digits = [15, 11, 10].map((count) => String(Number(number.toPrecision(count))).toUpperCase());
  const stored = [value, String(number).toUpperCase(), ...formsOf(value, 'General', 0), ...digits];
  const isFormatted = format.toLowerCase() !== 'general' && shown.some((form) => hasWords(form));
  const forms = isFormatted ? shown : [...shown, ...stored];
  return new Set(forms.filter((form) => hasWords(form)));
}

/** Returns what a format shows, with and without its language; nothing for a format that cannot be read. */
function formsOf(value: string, format: string, firstDay: number): string[] {
  const code = format.replace(CURRENCY, '"$1"');
  try {
    const number = Number(value) + (isDateFormat(code) && !DURATION.test(code) ? firstDay : 0);
    return [code, code.replace(LANGUAGE, '')].map((each) =>
      formatted(each, LONG.test(value) ? BigInt(value) : number, { bigintErrorNumber: true }),
    );
  } catch {
    return [];
  }
}

/** Returns the number of a date that a file stores as ISO 8601; NaN for another text. */
export const daysOf = (date: string): number =>
  (Date.parse(/Z$|[+-]\d\d:\d\d$|^[\d-]{1,12}$/.test(date) ? date : `${date}Z`) - EPOCH) / DAY_MS;

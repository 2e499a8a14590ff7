import { walkXml } from '../xml.js';

/** Built-in formats of dates and times by their IDs. */
const BUILT_IN: Record<number, string> = {
  ...{
    1: '0',
    2: '0.00',
    3: '#,##0',
    4: '#,##0.00',
    9: '0%',
    10: '0.00%',
    11: '0.00E+00',
    12: '# ?/?',
    13: '# ??/??',
  },
  ...{
    14: 'mm-dd-yy',
    15: 'd-mmm-yy',
    16: 'd-mmm',
    17: 'mmm-yy',
    18: 'h:mm AM/PM',
    19: 'h:mm:ss AM/PM',
    20: 'h:mm',
  },
  ...{
    21: 'h:mm:ss',
    22: 'm/d/yy h:mm',
    37: '#,##0',
    38: '#,##0',
    39: '#,##0.00',
    40: '#,##0.00',
    45: 'mm:ss',
  },
  ...{ 46: '[h]:mm:ss', 47: 'mm:ss.0', 48: '##0.0E+0', 49: '@' },
};
const DAY_MS = 86_400_000;
/** Units of elapsed time in a day. */
const ELAPSED: Record<string, number> = { h: 24, m: 1_440, s: 86_400 };
/** Day 0 of the date system of 1900, in ms; days before 1 March 1900 are one later. */
const EPOCH = Date.UTC(1899, 11, 30);

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
        formats.push(own.get(Number(numFmtId)) ?? BUILT_IN[Number(numFmtId)] ?? 'General');
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return formats;
}

/**
 * Returns the forms in which a number format may show a number, the likeliest one first; the last one is the number as it is stored. Returns
 * none for a zero that the format shows as a dash or not at all.
 */
export function numberVersions(value: string, format: string): Set<string> {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return new Set([value]);
  const code = format.slice(0, 500).replace(/"[^"]{0,500}"|\\.|_.|\*./g, ' ');
  const shape = sectionFor(number, code).replace(/\[(?!h+\]|m+\]|s+\])[^\]]{0,500}\]/gi, '');
  if (number === 0 && code.split(';').length > 2 && !/[0#?@a-z]/i.test(shape)) return new Set();
  const versions = new Set<string>();
  const isGeneral = shape.trim() === '' || /General|@/i.test(shape);
  if (!isGeneral && /[ymdhs]/i.test(shape)) {
    versions.add(dateAs(number, shape));
    for (const each of dates(number)) versions.add(each);
    // Names of months in other languages are not known.
    if (/\[\$-/.test(code)) versions.add(dateAs(number, shape.replace(/m{3,5}|d{3,4}/gi, '')));
  } else if (!isGeneral) for (const each of decimals(number, shape)) versions.add(each);
  // Stored numbers have 17 digits; a reader sees at most 15, and 11 in most cells.
  for (const digits of [15, 11, 10]) versions.add(String(Number(number.toPrecision(digits))));
  for (const each of [String(number), String(number).toUpperCase(), value]) versions.add(each);
  return versions;
}

/** Returns the section of a format for a number: the second one is for negative numbers, the third one for zero. */
function sectionFor(number: number, code: string): string {
  const sections = code.split(';');
  const index = number < 0 ? 1 : number === 0 ? 2 : 0;
  return sections[index] ?? sections[0]!;
}

function decimals(number: number, shape: string): string[] {
  const places = Math.min(20, /\.([0?#]+)/.exec(shape)?.[1]?.length ?? 0);
  const thousands = /[0#?](,{1,9})(?![,0#?])/.exec(shape)?.[1]?.length ?? 0;
  const sign = shape.includes('%') ? '%' : '';
  const shown = (sign === '' ? number : number * 100) / 1_000 ** thousands;
  if (/E[+-]/i.test(shape)) {
    const power = number.toExponential(places).toUpperCase();
    return [power.replace(/E([+-])(\d)$/, 'E$10$2'), power, number.toExponential(2).toUpperCase()];
  }
  const fixed = Math.abs(shown) < 1e20 ? shown.toFixed(places) : String(shown);
  const grouped = fixed.replace(/^(-?\d+)/, (whole) => Number(whole).toLocaleString('en-US'));
  return [grouped + sign, fixed + sign, Number(fixed) + sign];
}

/** Returns the number of a date that a file stores as ISO 8601; NaN for another text. */
export const daysOf = (date: string): number =>
  (Date.parse(/Z$|[+-]\d\d:\d\d$|^[\d-]{1,12}$/.test(date) ? date : `${date}Z`) - EPOCH) / DAY_MS;

const timeOf = (number: number): Date =>
  new Date(EPOCH + Math.round((number < 60 ? number + 1 : number) * DAY_MS));

/** Returns the parts of a date or time that a format shows, separated by blanks. */
function dateAs(number: number, shape: string): string {
  const time = timeOf(number);
  if (Number.isNaN(time.getTime())) return String(number);
  const tokens = shape.match(/\[[hms]+\]|y+|m+|d+|h+|s+|AM\/PM|A\/P/gi) ?? [];
  const isHalfDay = tokens.some((token) => token.includes('/'));
  const name = (options: Intl.DateTimeFormatOptions) =>
    time.toLocaleString('en-US', { ...options, timeZone: 'UTC' });
  return tokens
    .map((each, index) => {
      const token = each.toLowerCase();
      const isMinutes = /h/i.test(tokens[index - 1] ?? '') || /s/i.test(tokens[index + 1] ?? '');
      const padded = (part: number) => String(part).padStart(Math.min(2, token.length), '0');
      const hours = time.getUTCHours();
      if (token.startsWith('[')) return String(Math.floor(number * ELAPSED[token[1]!]!));
      if (token.includes('/')) return hours < 12 ? 'AM' : 'PM';
      if (token[0] === 'y') return String(time.getUTCFullYear()).slice(token.length > 2 ? 0 : 2);
      if (token[0] === 'd' && token.length > 2) return name({ weekday: token.length > 3 ? 'long' : 'short' });
      if (token[0] === 'd') return padded(time.getUTCDate());
      if (token[0] === 'h') return padded(isHalfDay ? hours % 12 || 12 : hours);
      if (token[0] === 's') return padded(time.getUTCSeconds());
      if (isMinutes && token.length < 3) return padded(time.getUTCMinutes());
      if (token.length > 2) return name({ month: token.length > 3 ? 'long' : 'short' });
      return padded(time.getUTCMonth() + 1);
    })
    .join(' ');
}

/** Returns the words of a date in several orders, with and without zeros in front; words count, not their order. */
function dates(number: number): string[] {
  const time = timeOf(number);
  if (Number.isNaN(time.getTime())) return [];
  const [date = '', clock = ''] = time.toISOString().replace('Z', '').split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  const [hours = '', minutes = '', seconds = ''] = clock.split('.')[0]!.split(':');
  const short = (text: string) => String(Number(text));
  const monthName = time.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
  const monthNameLong = time.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
  const days = [
    date,
    `${year} ${short(month)} ${short(day)}`,
    `${year.slice(2)} ${month} ${day}`,
    `${year.slice(2)} ${short(month)} ${short(day)}`,
    ...[monthName, monthNameLong].flatMap((name) => [
      `${short(day)} ${name} ${year}`,
      `${day} ${name} ${year.slice(2)}`,
    ]),
  ];
  const times = [`${hours} ${minutes} ${seconds}`, `${hours} ${minutes}`, `${short(hours)} ${minutes}`];
  const together = days.slice(0, 2).flatMap((each) => times.map((at) => `${each} ${at}`));
  return number >= 1 ? [...days, ...together, ...times] : times;
}

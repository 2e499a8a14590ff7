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
    14: 'm/d/yyyy',
    15: 'd-mmm-yy',
    16: 'd-mmm',
    17: 'mmm-yy',
    18: 'h:mm AM/PM',
    19: 'h:mm:ss AM/PM',
    20: 'h:mm',
  },
  ...{
    21: 'h:mm:ss',
    22: 'm/d/yyyy h:mm',
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
 *
 * @param firstDay number of the first day in the date system of 1900; not 0 in a workbook with the date system of 1904
 */
export function numberVersions(value: string, format: string, firstDay = 0): Set<string> {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return new Set([value]);
  const day = number + firstDay;
  const code = format.slice(0, 500).replace(/"[^"]{0,500}"|\\.|_.|\*./g, ' ');
  const shape = sectionFor(number, code).replace(/\[(?!h+\]|m+\]|s+\])[^\]]{0,500}\]/gi, '');
  if (number === 0 && code.split(';').length > 2 && !/[0#?@a-z]/i.test(shape)) return new Set();
  const versions = new Set<string>();
  const isGeneral = shape.trim() === '' || /General|@/i.test(shape);
  if (!isGeneral && /[ymdhs]/i.test(shape)) {
    versions.add(dateAs(number, shape, day));
    for (const each of dates(day)) versions.add(each);
    // Names of months in other languages are not known.
    if (/\[\$-/.test(code)) versions.add(dateAs(number, shape.replace(/m{3,5}|d{3,4}/gi, ''), day));
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
  const denominator = /\/\s*([0#?]{1,3}|\d{1,4})/.exec(shape)?.[1];
  if (denominator !== undefined) return [fractionAs(shown, denominator)];
  if (/E[+-]/i.test(shape)) {
    const power = number.toExponential(places).toUpperCase();
    const padded = power.replace(/E([+-])(\d)$/, 'E$10$2');
    const forms = /E[+-]0(?!0)/i.test(shape) ? [power, padded] : [padded, power];
    return [...forms, number.toExponential(2).toUpperCase()];
  }
  const fixed = Math.abs(shown) < 1e20 ? shown.toFixed(places) : String(shown);
  const grouped = fixed.replace(/^(-?\d+)/, (whole) => Number(whole).toLocaleString('en-US'));
  const forms = /[0#?],[0#?]/.test(shape) ? [grouped, fixed] : [fixed, grouped];
  return [...forms, Number(fixed)].map((form) => form + sign);
}

/** Returns a number as a fraction, such as `1 3/4`. @param denominator places of the denominator, such as `??`, or the denominator itself */
function fractionAs(number: number, denominator: string): string {
  const fixed = Number(denominator) || null;
  const most = 10 ** denominator.length - 1;
  const [whole, part] = [Math.trunc(Math.abs(number)), Math.abs(number) % 1];
  let best = { over: 0, under: 1, off: part };
  for (let under = fixed ?? 1; under <= (fixed ?? most); under++) {
    const over = Math.round(part * under);
    const off = Math.abs(part - over / under);
    if (off < best.off - 1e-12) best = { over, under, off };
  }
  const { over, under } = best;
  if (over === 0) return String(whole);
  if (over === under) return String(whole + 1);
  return whole === 0 ? `${over}/${under}` : `${whole} ${over}/${under}`;
}

/** Returns the number of a date that a file stores as ISO 8601; NaN for another text. */
export const daysOf = (date: string): number =>
  (Date.parse(/Z$|[+-]\d\d:\d\d$|^[\d-]{1,12}$/.test(date) ? date : `${date}Z`) - EPOCH) / DAY_MS;

const timeOf = (number: number): Date =>
  new Date(EPOCH + Math.round((number < 60 ? number + 1 : number) * DAY_MS));

const toSeconds = (days: number): number => Math.round(days * 86_400) / 86_400;

/** Returns the parts of a date or time that a format shows, separated by blanks. */
function dateAs(number: number, shape: string, day: number): string {
  // A clock without fractions shows the nearest second.
  const time = timeOf(/s\.0/i.test(shape) ? day : toSeconds(day));
  if (Number.isNaN(time.getTime())) return String(number);
  const tokens = shape.match(/\[[hms]+\]|y+|m+|d+|h+|s+(?:\.0{1,3})?|AM\/PM|A\/P/gi) ?? [];
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
      if (token[0] === 'y')
        return String(day < 1 ? 1900 : time.getUTCFullYear()).slice(token.length > 2 ? 0 : 2);
      if (token[0] === 'd' && token.length > 2) return name({ weekday: token.length > 3 ? 'long' : 'short' });
      // Day 0 is the one before 1 January 1900.
      if (token[0] === 'd') return padded(day < 1 ? 0 : time.getUTCDate());
      if (token[0] === 'h') return padded(isHalfDay ? hours % 12 || 12 : hours);
      if (token.includes('.')) return secondsAs(time, token);
      if (token[0] === 's') return padded(time.getUTCSeconds());
      if (isMinutes && token.length < 3) return padded(time.getUTCMinutes());
      if (token.length > 2) return name({ month: token.length > 3 ? 'long' : 'short' });
      return padded(day < 1 ? 1 : time.getUTCMonth() + 1);
    })
    .join(' ');
}

/** Returns seconds with their fraction. @param token code of the seconds, such as `ss.00` */
function secondsAs(time: Date, token: string): string {
  const [whole = '', fraction = ''] = token.split('.');
  const seconds = (time.getUTCSeconds() + time.getUTCMilliseconds() / 1_000).toFixed(fraction.length);
  return seconds.padStart(Math.min(2, whole.length) + 1 + fraction.length, '0');
}

/** Returns the words of a date in several orders, with and without zeros in front; words count, not their order. */
function dates(number: number): string[] {
  const time = timeOf(toSeconds(number));
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

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

/** Returns a number as it is stored, then the forms in which its format may show it. */
export function numberVersions(value: string, format: string): Set<string> {
  const number = Number(value);
  const versions = new Set([value]);
  if (value.trim() === '' || !Number.isFinite(number)) return versions;
  versions.add(String(number));
  versions.add(String(number).toUpperCase());
  // Stored numbers have 17 digits; a reader sees at most 15, and 11 in most cells.
  for (const digits of [15, 11, 10]) versions.add(String(Number(number.toPrecision(digits))));
  const shape = format.slice(0, 500).replace(/"[^"]{0,500}"|\\.|\[[^\]]{0,500}\]/g, '');
  if (/[ymdhs]/i.test(shape) && !/^General/i.test(shape))
    for (const each of dates(number)) versions.add(each);
  else for (const each of decimals(number, shape)) versions.add(each);
  return versions;
}

function decimals(number: number, shape: string): string[] {
  const places = /\.([0?#]+)/.exec(shape)?.[1]?.length ?? 0;
  const shown = shape.includes('%') ? number * 100 : number;
  const sign = shape.includes('%') ? '%' : '';
  const fixed = Math.abs(shown) < 1e20 ? shown.toFixed(Math.min(places, 20)) : String(shown);
  const grouped = fixed.replace(/^(-?\d+)/, (whole) => Number(whole).toLocaleString('en-US'));
  return [fixed + sign, grouped + sign, Number(fixed) + sign, number.toExponential(2).toUpperCase()];
}

/** Returns the words of a date in several orders, with and without zeros in front; words count, not their order. */
function dates(number: number): string[] {
  const time = new Date(EPOCH + Math.round(number * DAY_MS));
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

/**
 * Spellings of each unit; the first is the canonical form. Case is significant if it distinguishes units (m,
 * M).
 */
const UNITS = [
  'ms millisecond milliseconds msec',
  's sec secs second seconds',
  'min mins minute minutes',
  'h hr hrs hour hours',
  'd day days',
  'week weeks',
  'month months',
  'year years',
  'B byte bytes',
  'KB kB kilobyte kilobytes',
  'MB megabyte megabytes',
  'GB gigabyte gigabytes',
  'TB terabyte terabytes',
  'KiB',
  'MiB',
  'GiB',
  'bit bits',
  '% percent',
  'mm millimetre millimetres millimeter millimeters',
  'cm centimetre centimetres centimeter centimeters',
  'm metre metres meter meters',
  'km kilometre kilometres kilometer kilometers',
  'mg',
  'g gram grams',
  'kg kilogram kilograms',
  't tonne tonnes',
  'l L litre litres liter liters',
  '°C',
  '°F',
  'V volt volts',
  'A ampere amperes amps',
  'W watt watts',
  'kW kilowatt kilowatts',
  'Hz hertz',
  'kHz',
  'MHz',
  'GHz',
  '€ euro euros EUR',
  '$ dollar dollars USD',
  '£ pound pounds GBP',
];

const CANONICAL = new Map<string, string>(
  UNITS.flatMap((line) => {
    const spellings = line.split(' ');
    return spellings.map((spelling) => [spelling, spellings[0] as string] as const);
  }),
);

const NUMBERS = new Map<string, string>(
  'zero:0 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 eleven:11 twelve:12 thirteen:13 fourteen:14 fifteen:15 sixteen:16 seventeen:17 eighteen:18 nineteen:19 twenty:20 thirty:30 forty:40 fifty:50 sixty:60 seventy:70 eighty:80 ninety:90 hundred:100 thousand:1000 million:1000000 billion:1000000000 twice:2 both:2'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

const MONTHS_AND_DAYS =
  /^(?:Jan(?:uary)?|Feb(?:ruary)?|March|April|June|July|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|Mon(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?)$/;

/** Returns the canonical form of a unit after a number, or null if the word is not a unit. */
export function canonicalUnit(word: string): string | null {
  return CANONICAL.get(word) ?? (word.length > 2 ? (CANONICAL.get(word.toLowerCase()) ?? null) : null);
}

/** Removes thousands separators: `1,000` → `1000`. Decimals (`0.50`), versions and dates stay unchanged. */
export function canonicalNumber(text: string): string {
  return /^[$€£]?\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?$/.test(text) ? text.replace(/[,_]/g, '') : text;
}

/** Returns the digits of a number word, or null. "One" is excluded, because it usually is not a number. */
export function numberOfWord(word: string): string | null {
  return NUMBERS.get(word.toLowerCase()) ?? null;
}

export function isMonthOrDay(word: string): boolean {
  return MONTHS_AND_DAYS.test(word);
}

import type { Span } from '#contracts/findings.js';
import type { Lexicon } from '../lexicon/lexicon.js';

/** Place at which a text uses a particular form, such as a date written as `2026-03-14`. */
export interface Form extends Span {
  form: string;
}

/** Returns the places of a pattern. */
export const matches = (
  text: string,
  pattern: RegExp,
  form: string,
  counts: (match: RegExpExecArray) => boolean = () => true,
): Form[] =>
  Array.from(text.matchAll(pattern))
    .filter(counts)
    .map((match) => ({ start: match.index, end: match.index + match[0].length, form }));

export const inOrder = (forms: Form[]): Form[] => forms.sort((a, b) => a.start - b.start);

/** A parsed date; `year` is null if it was not written. */
interface ReadDate {
  year: number | null;
  month: number;
  day: number;
}

const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];

const named = ({ months }: Lexicon) => months.join('|');
const short = ({ shortMonths }: Lexicon) => shortMonths.join('|');

/** Finds dates; each form is named by an example, `14 March 2026` in the words of the language. */
export function dates(own: string, lexicon: Lexicon): Form[] {
  const third = lexicon.months[2]!;
  const dayFirst = `14 ${third} 2026`;
  const year = '(?:,? \\d{4}(?!\\d))?';
  const ordinal = lexicon.contractions ? '(?:st|nd|rd|th)' : '\\.';
  const pattern = (source: string) => new RegExp(source, 'gu');
  return inOrder([
    ...matches(own, /(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-])/g, '2026-03-14'),
    ...matches(own, /(?<![\d/])\d{4}\/\d{2}\/\d{2}(?![\d/])/g, '2026/03/14'),
    ...matches(own, /(?<![\d./])\d{1,2}\.\d{1,2}\.\d{4}(?!\d)/g, '14.03.2026'),
    ...matches(own, /(?<![\d./-])\d{1,2}-\d{1,2}-\d{4}(?![\d-])/g, '14-03-2026'),
    ...matches(own, /(?<![\d./])\d{1,2}\/\d{1,2}\/(?:\d{4}|\d{2})(?![\d/])/g, '14/03/2026'),
    ...matches(own, pattern(`(?<![\\d.,])\\d{1,2} (?:${named(lexicon)})(?!\\p{L})${year}`), dayFirst),
    ...matches(
      own,
      pattern(`(?<![\\d.,])\\d{1,2}${ordinal} (?:of )?(?:${named(lexicon)})(?!\\p{L})${year}`),
      lexicon.contractions ? `14th ${third} 2026` : `14. ${third} 2026`,
    ),
    ...matches(
      own,
      pattern(`(?<![\\d.,])\\d{1,2}\\.? (?:${short(lexicon)})\\.?,? \\d{4}(?!\\d)`),
      '14 Mar 2026',
    ),
    ...matches(own, /(?<![\d.,])\d{1,2} (?:I{1,3}|IV|VI{0,3}|IX|XI{0,2}) \d{4}(?!\d)/g, '14 III 2026'),
    ...(lexicon.contractions ? monthFirst(own, lexicon) : []),
  ]);
}

/** Finds English dates that start with the month. */
function monthFirst(own: string, lexicon: Lexicon): Form[] {
  const pattern = (months: string, day: string) =>
    new RegExp(`(?<!\\p{L}|\\d )(?:${months})\\.? ${day}(?![\\d:])(?:,? \\d{4}(?!\\d))?`, 'gu');
  return [
    ...matches(own, pattern(named(lexicon), '\\d{1,2}'), 'March 14, 2026'),
    ...matches(own, pattern(named(lexicon), '\\d{1,2}(?:st|nd|rd|th)'), 'March 14th, 2026'),
    ...matches(own, pattern(short(lexicon), '\\d{1,2}(?:st|nd|rd|th)?'), 'Mar 14, 2026'),
  ].filter(({ start, end }) => !/^May \d{1,2}$/.test(own.slice(start, end)) || own.charAt(end) !== '%');
}

/** Finds times of day: `17:00`, `5 pm`, `5 p.m.`, `17.00`. */
export function times(own: string): Form[] {
  return inOrder([
    ...matches(own, /(?<![\d:.])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:]|[  ]?[ap]\.?m)/gi, '17:00'),
    ...matches(own, /(?<![\d:.])\d{1,2}(?:[:.][0-5]\d)?[  ]?[ap]m(?!\p{L})/giu, '5 pm'),
    ...matches(own, /(?<![\d:.])\d{1,2}(?:[:.][0-5]\d)?[  ]?[ap]\.m\./gi, '5 p.m.'),
    ...matches(
      own,
      /(?<=(?:godz\.|godzinie|godziny|godzinę) (?:\d{1,2}\.\d\d[–-])?)(?:[01]?\d|2[0-3])\.[0-5]\d(?!\.?\d)/giu,
      '17.00',
    ),
  ]);
}

/** Parses a written date. Returns null if day and month are ambiguous or the date is invalid. */
export function readDate(written: string, { months, shortMonths }: Lexicon): ReadDate | null {
  const numbers = written.match(/\d+/g)?.map(Number) ?? [];
  const [a = 0, b = 0, c = 0] = numbers;
  if (/^\d{4}[-/]/.test(written)) return checked({ year: a, month: b, day: c });
  if (numbers.length === 3) {
    if (written.includes('/') && (a <= 12 || b > 12)) return null;
    return checked({ year: c < 100 ? 2000 + c : c, month: b, day: a });
  }
  const lower = written.toLowerCase();
  const byName = months.findIndex((name) => lower.includes(name.toLowerCase()));
  const byShort = shortMonths.findIndex((name) =>
    new RegExp(`(?<!\\p{L})${name}(?!\\p{L})`, 'iu').test(written),
  );
  const roman = ROMAN.indexOf(/ ([IVX]+) /.exec(written)?.[1] ?? '');
  const month = [byName, byShort, roman].find((index) => index >= 0);
  return month === undefined ? null : checked({ year: numbers[1] ?? null, month: month + 1, day: a });
}

const checked = (date: ReadDate): ReadDate | null =>
  date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= 31 ? date : null;

/** Writes a date in the form of an example. Returns null if the form is unknown or needs a missing year. */
export function writeDate({ year, month, day }: ReadDate, form: string, lexicon: Lexicon): string | null {
  const two = (number: number) => String(number).padStart(2, '0');
  const name = lexicon.months[month - 1]!;
  const rest = year === null ? '' : ` ${year}`;
  const nth = `${day}${day % 10 === 1 && day !== 11 ? 'st' : day % 10 === 2 && day !== 12 ? 'nd' : day % 10 === 3 && day !== 13 ? 'rd' : 'th'}`;
  if (form === 'March 14, 2026') return `${name} ${day}${year === null ? '' : `, ${year}`}`;
  if (form === 'March 14th, 2026') return `${name} ${nth}${year === null ? '' : `, ${year}`}`;
  if (form === `14 ${lexicon.months[2]} 2026`) return `${day} ${name}${rest}`;
  if (form.startsWith('14th ')) return `${nth} ${name}${rest}`;
  if (year === null) return null;
  switch (form) {
    case '2026-03-14':
      return `${year}-${two(month)}-${two(day)}`;
    case '2026/03/14':
      return `${year}/${two(month)}/${two(day)}`;
    case '14.03.2026':
      return `${two(day)}.${two(month)}.${year}`;
    case '14-03-2026':
      return `${two(day)}-${two(month)}-${year}`;
    case '14/03/2026':
      return `${two(day)}/${two(month)}/${year}`;
    case '14 III 2026':
      return `${day} ${ROMAN[month - 1]} ${year}`;
    default:
      return null;
  }
}

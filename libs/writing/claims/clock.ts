/** A time of day in a text, in minutes since midnight. */
export interface ClockTime {
  text: string;
  /** Offsets in the text. */
  at: number;
  end: number;
  minutes: number;
  /** Whether it is marked as `am` or `pm`. */
  hasHalf: boolean;
}

const HALF_DAY = 720;
const MARK = "(?:\\s?([ap])\\.?m\\.?(?!\\p{L})|\\s?(?:Uhr|o['’]clock)(?!\\p{L}))";
/** Without minutes, ` am` may be a German preposition. */
const HOUR_MARK =
  "(?:\\s?(p)\\.?m\\.?(?!\\p{L})|\\s?(a)\\.m\\.|(a)m(?!\\p{L})|\\s?(?:Uhr|o['’]clock)(?!\\p{L}))";
const PREPOSITION = '(?<=(?<!\\p{L})(?:um|gegen|ab|bis|o|od|do|godz\\.|godzinie|at) )';
const CLOCK = new RegExp(
  [
    `(?<![\\d.,:])([01]?\\d|2[0-4]):([0-5]\\d)(?::[0-5]\\d)?(?![\\d:])${MARK}?`,
    `(?<![\\d.,:])([01]?\\d|2[0-4])\\.([0-5]\\d)${MARK}`,
    `${PREPOSITION}([01]?\\d|2[0-4])\\.([0-5]\\d)(?!\\d|[.,]\\d|\\s?(?:[%€£$]|euro|mill?i|mio|zł))`,
    `(?<![\\d.,:])([01]?\\d|2[0-4])${HOUR_MARK}`,
  ].join('|'),
  'giu',
);

/** Returns the times of day of a text: `14:20`, `2.20 pm`, `um 14.20`, `15 Uhr`, also in `2026-03-12T14:20:00Z`. */
export function clockTimesIn(text: string): ClockTime[] {
  return Array.from(text.matchAll(CLOCK), (match) => {
    const [words, h1, m1, half1, h2, m2, half2, h3, m3, h4, ...halves] = match;
    const at = match.index;
    const hour = Number(h1 ?? h2 ?? h3 ?? h4);
    const half = (half1 ?? half2 ?? halves.find((half) => half !== undefined))?.toLowerCase();
    const minutes = (half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour) * 60 + Number(m1 ?? m2 ?? m3 ?? 0);
    return { text: words, at, end: at + words.length, minutes, hasHalf: half !== undefined };
  });
}

/** Returns whether two times are the same; a time marked as `pm` may be unmarked in another text. */
export const isSameTime = (a: ClockTime, b: ClockTime): boolean =>
  a.minutes === b.minutes || (a.hasHalf !== b.hasHalf && a.minutes % HALF_DAY === b.minutes % HALF_DAY);

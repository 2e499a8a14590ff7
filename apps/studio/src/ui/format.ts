import i18next from 'i18next';

/** Making a format takes longer than using it: each is made once for each language. */
function timeFormat(options: Intl.DateTimeFormatOptions): (at: string) => string {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (at) => {
    const { language } = i18next;
    const format = made.get(language) ?? new Intl.DateTimeFormat(language, options);
    made.set(language, format);
    return format.format(new Date(at));
  };
}

/** A point in time in the reader's zone, to the minute. */
export const formatTime = timeFormat({ dateStyle: 'medium', timeStyle: 'short' });

/** A point in time to the second, with the zone. */
export const formatExactTime = timeFormat({ dateStyle: 'full', timeStyle: 'long' });

/** The time of a day to the second. */
export const formatClock = timeFormat({ timeStyle: 'medium' });

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size in the unit that suits it, in the reader's language. */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return new Intl.NumberFormat(i18next.language, {
    style: 'unit',
    unit: UNITS[step],
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** step);
}

export const formatNumber = (value: number): string => new Intl.NumberFormat(i18next.language).format(value);

/** A duration from milliseconds up to days, in two units at most. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A cost in the currency of the service, of which it is given millionths. */
export const formatCost = (millionths: number): string =>
  new Intl.NumberFormat(i18next.language, { minimumFractionDigits: 2, maximumFractionDigits: 4 }).format(
    millionths / 1_000_000,
  );

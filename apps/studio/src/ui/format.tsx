import { shownLanguage, useTranslation } from '../i18n/i18n';
import { useDeferredValue, type PointerEvent } from 'react';

/**
 * Returns a formatter that caches one format per language, because creating a format takes longer than using
 * it.
 */
function timeFormat(options: Intl.DateTimeFormatOptions): (at: string) => string {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (at) => {
    const language = shownLanguage();
    const format = made.get(language) ?? new Intl.DateTimeFormat(language, options);
    made.set(language, format);
    return format.format(new Date(at));
  };
}

/** Formats a time in the user's zone, to the minute. */
export const formatTime = timeFormat({ dateStyle: 'medium', timeStyle: 'short' });

/** Formats a day. */
export const formatDay = timeFormat({ dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a time to the second, with the zone. */
export const formatExactTime = timeFormat({ dateStyle: 'full', timeStyle: 'long' });

/** Formats the time of day to the second. */
export const formatClock = timeFormat({ timeStyle: 'medium' });

/** Returns the name of a language, given as an ISO 639-1 code. */
export const formatLanguage = (code: string): string =>
  new Intl.DisplayNames(shownLanguage(), { type: 'language' }).of(code) ?? code;

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats a size in a suitable unit, in the user's language. */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return new Intl.NumberFormat(shownLanguage(), {
    style: 'unit',
    unit: UNITS[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** step);
}

export const formatNumber = (value: number): string => new Intl.NumberFormat(shownLanguage()).format(value);

/** Formats a measured value with a fixed number of decimals, or with some more. */
export const formatMeasure = (value: number, minimumFractionDigits: number, most = minimumFractionDigits) => {
  const digits = { minimumFractionDigits, maximumFractionDigits: most };
  return new Intl.NumberFormat(shownLanguage(), digits).format(value);
};

/** Formats a share 0…1 as a percentage without its sign, rounded down, so that 100 means all. */
export const formatPercent = (share: number): string => formatMeasure(Math.floor(share * 1000) / 10, 0, 1);

/** Formats a duration, in at most two units from milliseconds to hours. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${formatMeasure(ms / 1_000, 1)} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a cost, given in millionths of the service's currency. */
export const formatCost = (millionths: number): string => formatMeasure(millionths / 1_000_000, 2, 4);

/** Shows a time in the user's zone and language; the exact time on hover. */
export function Moment({ at }: { at: string }) {
  // Re-render when the language changes.
  useTranslation();
  // Creating the first format is slower than the rest of the page, so times appear one frame later.
  const shown = useDeferredValue(at, '');
  return (
    <time dateTime={at} onPointerEnter={showExactTime}>
      {shown && formatTime(shown)}
    </time>
  );
}

/** Set on hover, because creating this format takes longer than showing a page of times. */
function showExactTime({ currentTarget }: PointerEvent<HTMLTimeElement>): void {
  currentTarget.title = formatExactTime(currentTarget.dateTime);
}

/** Units of an age, largest first, with their length in seconds. */
const AGE_UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Shows how long ago something happened, or when it will, such as "2 hours ago"; the exact time on hover. */
export function Age({ at }: { at: string }) {
  const { t, language } = useTranslation();
  const seconds = (Date.parse(at) - Date.now()) / 1_000;
  const [unit, length] = AGE_UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {unit ? format.format(Math.trunc(seconds / length), unit) : t('list.justNow')}
    </time>
  );
}

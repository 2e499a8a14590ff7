import { useTranslation } from '../i18n/i18n';
import { formatExactTime, formatTime } from './format';
import { useDeferredValue, type PointerEvent } from 'react';

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
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Shows how long ago something happened, or when it will, such as "2 hours ago"; the exact time on hover. */
export function Age({ at }: { at: string }) {
  const { t, language } = useTranslation();
  const seconds = (Date.parse(at) - Date.now()) / 1_000;
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {unit ? format.format(Math.trunc(seconds / length), unit) : t('list.justNow')}
    </time>
  );
}

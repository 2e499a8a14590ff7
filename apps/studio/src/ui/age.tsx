import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatExactTime } from './format';

/** Units of an age, largest first, with their length in seconds. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Shows how long ago something happened, such as "2 hours ago"; the exact time on hover. */
export function Age({ at }: { at: string }) {
  // Also re-renders when the language changes.
  const { t } = useTranslation();
  const seconds = Math.max(0, (Date.now() - Date.parse(at)) / 1_000);
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? [];
  const format = new Intl.RelativeTimeFormat(i18next.language, { numeric: 'auto' });
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {unit ? format.format(-Math.floor(seconds / length), unit) : t('list.justNow')}
    </time>
  );
}

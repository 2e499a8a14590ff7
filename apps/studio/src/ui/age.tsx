import { useTranslation } from '../i18n/i18n';
import { formatExactTime } from './format';

/** Units of an age, largest first, with their length in seconds. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Shows how long ago something happened, such as "2 hours ago"; the exact time on hover. */
export function Age({ at }: { at: string }) {
  const { t, language } = useTranslation();
  const seconds = Math.max(0, (Date.now() - Date.parse(at)) / 1_000);
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? [];
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {unit ? format.format(-Math.floor(seconds / length), unit) : t('list.justNow')}
    </time>
  );
}

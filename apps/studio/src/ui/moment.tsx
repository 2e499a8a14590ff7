import { useTranslation } from 'react-i18next';

/** A point in time in the reader's zone and language; the exact one on hover. */
export function Moment({ at }: { at: string }) {
  const { i18n } = useTranslation();
  const date = new Date(at);
  const short = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  const exact = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'full', timeStyle: 'long' });
  return (
    <time dateTime={at} title={exact.format(date)}>
      {short.format(date)}
    </time>
  );
}

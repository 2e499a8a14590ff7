import { useTranslation } from 'react-i18next';
import { formatExactTime, formatTime } from './format';

/** A point in time in the reader's zone and language; the exact one on hover. */
export function Moment({ at }: { at: string }) {
  // What is shown changes with the language.
  useTranslation();
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {formatTime(at)}
    </time>
  );
}

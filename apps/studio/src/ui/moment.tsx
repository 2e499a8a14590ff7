import { useDeferredValue, type PointerEvent } from 'react';
import { useTranslation } from '../i18n/i18n';
import { formatExactTime, formatTime } from './format';

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

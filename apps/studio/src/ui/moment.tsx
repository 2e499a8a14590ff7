import { useDeferredValue, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { formatExactTime, formatTime } from './format';

/** A point in time in the reader's zone and language; the exact one on hover. */
export function Moment({ at }: { at: string }) {
  // What is shown changes with the language.
  useTranslation();
  // The first format of a page takes longer to make than all else of it: times come a frame after the rest.
  const shown = useDeferredValue(at, '');
  return (
    <time dateTime={at} onPointerEnter={showExactTime}>
      {shown && formatTime(shown)}
    </time>
  );
}

/** Asked for when it is looked at: to make the format of it takes longer than to show a page of times. */
function showExactTime({ currentTarget }: PointerEvent<HTMLTimeElement>): void {
  currentTarget.title = formatExactTime(currentTarget.dateTime);
}

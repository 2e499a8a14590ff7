import { Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunEvent } from '../../api/run-events';
import { formatClock } from '../../ui/format';

const ROW_HEIGHT = 28;
/** Rows of the page that are used again while the list is scrolled: more than are ever in view. */
const ROWS = 256;
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 };
/** As much of the data as a row can show. */
const DATA_CHARS = 400;

interface EventFrameProps {
  events: readonly RunEvent[];
  /** The seq of the event that is looked at. */
  chosen: number | null;
  onChoose: (seq: number) => void;
}

/** Events as rows of one height; only those in view are in the page, so that 10,000 scroll as smoothly as ten. */
export function EventFrame({ events, chosen, onChoose }: EventFrameProps) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
    useFlushSync: false,
  });
  const byKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || events.length === 0) return;
    event.preventDefault();
    const at = events.findIndex(({ seq }) => seq === chosen);
    const next = Math.min(events.length - 1, Math.max(0, at + step));
    onChoose(events[next]!.seq);
    rows.scrollToIndex(next, { align: 'auto' });
  };
  if (events.length === 0) return <Text c="dimmed">{t('run.noEvents')}</Text>;
  return (
    <div
      ref={frame}
      className="scroll-frame"
      role="listbox"
      aria-label={t('run.eventLog')}
      aria-activedescendant={chosen === null ? undefined : `event-${chosen}`}
      tabIndex={0}
      onKeyDown={byKey}
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative' }} role="presentation">
        {rows.getVirtualItems().map(({ index, start }) => {
          const event = events[index]!;
          return (
            <Row
              key={index % ROWS}
              event={event}
              top={start}
              isChosen={event.seq === chosen}
              onChoose={onChoose}
            />
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  event: RunEvent;
  /** Pixels from the top of the list. */
  top: number;
  isChosen: boolean;
  onChoose: (seq: number) => void;
}

const Row = memo(function Row({ event, top, isChosen, onChoose }: RowProps) {
  return (
    <div
      id={`event-${event.seq}`}
      role="option"
      aria-selected={isChosen}
      className="event-row"
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onChoose(event.seq)}
    >
      <span className="line-number">{event.seq}</span>
      <span className="event-at">{formatClock(event.at)}</span>
      <span className="event-type">{event.type}</span>
      <span className="event-data">{JSON.stringify(event.data).slice(0, DATA_CHARS)}</span>
    </div>
  );
});

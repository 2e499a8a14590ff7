import { Text } from '@mantine/core';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunEvent } from '../../api/run-events';
import { formatClock } from '../../ui/format';
import { ListboxFrame, useVirtualListbox } from '../../ui/virtual-listbox';

const ROW_HEIGHT = 28;
/** Rows of the page that are used again while the list is scrolled: more than are ever in view. */
const ROWS = 256;
/** As much of the data as a row can show. */
const DATA_CHARS = 400;

interface EventFrameProps {
  events: readonly RunEvent[];
  /** The seq of the event that is looked at. */
  chosen: number | null;
  onChoose: (seq: number) => void;
}

/** Events as rows; there may be tens of thousands. */
export function EventFrame({ events, chosen, onChoose }: EventFrameProps) {
  const { t } = useTranslation();
  const at = useMemo(() => events.findIndex(({ seq }) => seq === chosen), [events, chosen]);
  const list = useVirtualListbox({
    count: events.length,
    rowHeight: ROW_HEIGHT,
    chosen: at,
    onChoose: (row) => onChoose(events[row]!.seq),
  });
  if (events.length === 0) return <Text c="dimmed">{t('run.noEvents')}</Text>;
  return (
    <ListboxFrame
      list={list}
      label={t('run.eventLog')}
      activeId={chosen === null ? undefined : `event-${chosen}`}
    >
      {list.rows.map(({ index, start }) => (
        <Row
          key={index % ROWS}
          event={events[index]!}
          top={start}
          isChosen={index === at}
          onChoose={onChoose}
        />
      ))}
    </ListboxFrame>
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

import { Text } from '@mantine/core';
import { memo, useMemo } from 'react';
import { useTranslation } from '../../i18n/i18n';
import type { RunEvent } from '../../api/run-events';
import { formatClock } from '../../ui/format';
import { ListboxFrame, useVirtualListbox } from '../../ui/virtual-listbox';

const ROW_HEIGHT = 28;
/** Number of recycled rows; more than are ever visible. */
const ROWS = 256;

interface EventFrameProps {
  events: readonly RunEvent[];
  /** Returns what happened in an event. */
  textOf: (event: RunEvent) => string;
  /** `seq` of the chosen event. */
  chosen: number | null;
  onChoose: (seq: number) => void;
}

/** Shows events as rows; there may be tens of thousands. */
export function EventFrame({ events, textOf, chosen, onChoose }: EventFrameProps) {
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
          text={textOf(events[index]!)}
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
  text: string;
  /** Pixels from the top of the list. */
  top: number;
  isChosen: boolean;
  onChoose: (seq: number) => void;
}

const Row = memo(function Row({ event, text, top, isChosen, onChoose }: RowProps) {
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
      <span>{text}</span>
    </div>
  );
});

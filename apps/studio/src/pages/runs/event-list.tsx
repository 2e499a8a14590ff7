import { Badge, Code, Group, MultiSelect, Stack, Text, Title } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRunEvents, type RunEvent } from '../../api/run-events';
import { Moment } from '../../ui/moment';

/** All events of a run with a filter by type; only those in view are in the page. */
export function EventList({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const { events } = useRunEvents(runId);
  const [types, setTypes] = useState<string[]>([]);
  const shown = useMemo(
    () => events.filter(({ type }) => (types.length === 0 ? type !== 'token' : types.includes(type))),
    [events, types],
  );
  const known = useMemo(() => [...new Set(events.map(({ type }) => type))].sort(), [events]);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('run.events', { count: shown.length })}
        </Title>
        <MultiSelect
          data={known}
          value={types}
          onChange={setTypes}
          placeholder={types.length === 0 ? t('run.filter') : undefined}
          aria-label={t('run.filter')}
          clearable
        />
      </Group>
      <EventFrame events={shown} />
    </Stack>
  );
}

function EventFrame({ events }: { events: readonly RunEvent[] }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 32,
    overscan: 20,
  });
  return (
    <div ref={frame} className="scroll-frame" tabIndex={0} role="log" aria-label={t('run.eventLog')}>
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map((row) => {
          const event = events[row.index]!;
          return (
            <div
              key={row.key}
              data-index={row.index}
              ref={rows.measureElement}
              className="event-row"
              style={{ transform: `translateY(${row.start}px)` }}
            >
              <Text size="xs" c="dimmed" span>
                {event.seq}
              </Text>
              <Text size="xs" span>
                <Moment at={event.at} />
              </Text>
              <Badge size="sm" variant="default">
                {event.type}
              </Badge>
              <Code>{JSON.stringify(event.data)}</Code>
            </div>
          );
        })}
      </div>
    </div>
  );
}

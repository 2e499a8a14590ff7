import { Group, MultiSelect, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { useRunEvents } from '../../api/run-events';
import { Moment } from '../../ui/moment';
import { EventData } from './event-data';
import { EventFrame } from './event-frame';
import { eventTypeName, useEventText } from './use-event-text';

/** Lists all events of a run as sentences with a filter by type, and shows the data of the chosen one. */
export function EventList({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const { events } = useRunEvents(runId);
  const [types, setTypes] = useState<string[]>([]);
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = useMemo(
    () => events.filter(({ type }) => (types.length === 0 ? type !== 'token' : types.includes(type))),
    [events, types],
  );
  const textOf = useEventText(events);
  const known = useMemo(
    () =>
      [...new Set(events.map(({ type }) => type))]
        .map((type) => ({ value: type, label: eventTypeName(type, t) }))
        .sort((one, other) => one.label.localeCompare(other.label)),
    [events, t],
  );
  const event = chosen === null ? undefined : shown.find(({ seq }) => seq === chosen);
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
      <EventFrame events={shown} textOf={textOf} chosen={chosen} onChoose={setChosen} />
      {event && (
        <section aria-label={t('run.eventOf', { seq: event.seq })}>
          <Title order={3} size="h5">
            {eventTypeName(event.type, t)} · <Moment at={event.at} />
          </Title>
          <Text size="sm" mb="xs" className="event-text">
            {textOf(event)}
          </Text>
          <EventData data={event.data} />
        </section>
      )}
    </Stack>
  );
}

import { Code, Group, MultiSelect, Stack, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { useRunEvents } from '../../api/run-events';
import { Moment } from '../../ui/moment';
import { EventFrame } from './event-frame';

/** Lists all events of a run with a filter by type, and the data of the chosen one. */
export function EventList({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const { events } = useRunEvents(runId);
  const [types, setTypes] = useState<string[]>([]);
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = useMemo(
    () => events.filter(({ type }) => (types.length === 0 ? type !== 'token' : types.includes(type))),
    [events, types],
  );
  const known = useMemo(() => [...new Set(events.map(({ type }) => type))].sort(), [events]);
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
      <EventFrame events={shown} chosen={chosen} onChoose={setChosen} />
      {event && (
        <section aria-label={t('run.eventOf', { seq: event.seq })}>
          <Title order={3} size="h5">
            {event.type} · <Moment at={event.at} />
          </Title>
          <Code block tabIndex={0}>
            {JSON.stringify(event.data, null, 1)}
          </Code>
        </section>
      )}
    </Stack>
  );
}

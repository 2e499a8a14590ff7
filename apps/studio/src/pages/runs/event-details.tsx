import { Code, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { RunEvent } from '../../api/run-events';
import { useTranslation, type Translate } from '../../i18n/i18n';
import { formatNumber, formatPercent } from '../../ui/format';
import { useRunWords, usePhrases } from '../../ui/run-words';
import { eventText, namesIn } from './event-text';

/** Shows what happened in an event and, when a person opens it, its data as JSON. */
export function EventDetails({ event, text }: { event: RunEvent; text: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm" className="event-text">
        {text}
      </Text>
      <details>
        <summary>{t('run.source')}</summary>
        <Code block tabIndex={0}>
          {JSON.stringify(event.data, null, 1)}
        </Code>
      </details>
    </>
  );
}

/** Returns the name of a type of events; a type of a newer service is shown unchanged. */
export const eventTypeName = (type: string, t: Translate): string =>
  t(`eventType.${type}`, { defaultValue: type });

/**
 * Returns a function that says in the reader's language what happened in an event.
 *
 * @param events all events of the run, which name what an event refers to by ID
 */
export function useEventText(events: readonly RunEvent[]): (event: RunEvent) => string {
  const { t } = useTranslation();
  const words = useRunWords();
  const render = usePhrases();
  const names = useMemo(() => namesIn(events), [events]);
  const format = { formatNumber, formatPercent };
  return (event) => eventText(event, { t, words, render, names, format }) || eventTypeName(event.type, t);
}

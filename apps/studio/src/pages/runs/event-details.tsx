import { Code, Text } from '@mantine/core';
import type { RunEvent } from '../../api/run-events';
import { useTranslation } from '../../i18n/i18n';

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

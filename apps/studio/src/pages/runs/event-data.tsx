import { Code } from '@mantine/core';
import type { RunEvent } from '../../api/run-events';
import { useTranslation } from '../../i18n/i18n';

/** Shows the data of an event as JSON when a person opens it. */
export function EventData({ data }: Pick<RunEvent, 'data'>) {
  const { t } = useTranslation();
  return (
    <details>
      <summary>{t('run.source')}</summary>
      <Code block tabIndex={0}>
        {JSON.stringify(data, null, 1)}
      </Code>
    </details>
  );
}

import { Text } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';
import { useRunEvents } from '../api/run-events';

/** Shows discreetly that a run's data may be outdated because its stream is reconnecting. */
export function ConnectionNotice({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const { connection } = useRunEvents(runId);
  if (connection !== 'lost') return null;
  return (
    <Text size="xs" c="dimmed" role="status">
      {t('run.reconnecting')}
    </Text>
  );
}

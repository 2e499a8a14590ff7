import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRunEvents } from '../api/run-events';

/** Says, quietly, that what is shown of a run may be old: its stream broke off and is being opened again. */
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

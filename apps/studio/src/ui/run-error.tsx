import { Alert, Code, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePhrases } from './use-phrases';
import type { Run } from '../api/runs';

/** Shows why a run failed, with the error code; nothing if it did not fail. */
export function RunError({ error }: { error: Run['error'] }) {
  const { t } = useTranslation();
  const render = usePhrases();
  if (error === null) return null;
  return (
    <Alert color="red" title={t('run.failed')}>
      <Text size="sm" mb="xs">
        {render(error.phrase, error.message)}
      </Text>
      <Code>{error.code}</Code>
    </Alert>
  );
}

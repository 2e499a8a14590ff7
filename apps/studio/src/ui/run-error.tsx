import { Alert, Code, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Run } from '../api/runs';

/** Why a run failed, with the code of the problem; nothing when it did not. */
export function RunError({ error }: { error: Run['error'] }) {
  const { t } = useTranslation();
  if (error === null) return null;
  return (
    <Alert color="red" title={t('run.failed')}>
      <Text size="sm" mb="xs">
        {error.message}
      </Text>
      <Code>{error.code}</Code>
    </Alert>
  );
}

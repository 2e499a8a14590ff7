import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../api/client';

/** What went wrong, with the problem's code and a way on. */
export function ProblemAlert({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation();
  const problem = error instanceof ApiProblem ? error.problem : null;
  return (
    <Alert color="red" role="alert" title={problem?.title || t('problem.title')}>
      <Text size="sm">{problem?.detail ?? t('problem.unreachable')}</Text>
      <Group mt="sm" gap="sm">
        {problem && <Code>{problem.code}</Code>}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('problem.retry')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

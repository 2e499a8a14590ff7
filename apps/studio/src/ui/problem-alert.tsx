import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';
import { ApiProblem } from '../api/client';
import { usePhrases } from './use-phrases';

interface ProblemAlertProps {
  error: unknown;
  /** Replaces the service's detail, which may be meant for programs. */
  advice?: string | undefined;
  onRetry?: () => void;
}

/** Shows an error with the problem's code and a way to retry. */
export function ProblemAlert({ error, advice, onRetry }: ProblemAlertProps) {
  const { t } = useTranslation();
  const render = usePhrases();
  const problem = error instanceof ApiProblem ? error.problem : null;
  // The detail of a missing resource names addresses of the API.
  const isMissing = problem?.code === 'not_found';
  const title = problem && render({ code: problem.code, params: {} }, problem.title);
  const detail = isMissing
    ? t('problem.notFoundText')
    : problem
      ? render(problem.phrase, problem.detail)
      : t('problem.unreachable');
  return (
    <Alert color="red" role="alert" title={isMissing ? t('problem.notFound') : title || t('problem.title')}>
      <Text size="sm">{advice ?? detail}</Text>
      {problem?.errors?.map(({ path, message, phrase }) => (
        <Text key={`${path} ${message}`} size="sm" mt={4}>
          <Code>{path}</Code> {render(phrase, message)}
        </Text>
      ))}
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

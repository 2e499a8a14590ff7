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

/** The code of a problem, for those who look it up; shown on demand. */
export function ProblemCode({ code }: { code: string }) {
  const { t } = useTranslation();
  return (
    <Text component="details" size="sm">
      <summary>{t('run.details')}</summary>
      <Code>{code}</Code>
    </Text>
  );
}

/** Shows an error with the problem's code and a way to retry. */
export function ProblemAlert({ error, advice, onRetry }: ProblemAlertProps) {
  const { t } = useTranslation();
  const render = usePhrases();
  const problem = error instanceof ApiProblem ? error.problem : null;
  const title = problem && render({ code: problem.code, params: {} }, problem.title);
  // The service's detail names requests of the API.
  const isMissing = problem?.code === 'not_found';
  const known = advice ?? (isMissing ? t('problem.missing') : undefined);
  return (
    <Alert color="red" role="alert" title={title || t('problem.title')}>
      <Text size="sm">
        {known ?? (problem ? render(problem.phrase, problem.detail) : t('problem.unreachable'))}
      </Text>
      {problem?.errors?.map(({ path, message, phrase }) => (
        <Text key={`${path} ${message}`} size="sm" mt={4}>
          <Code>{path}</Code> {render(phrase, message)}
        </Text>
      ))}
      {(problem || onRetry) && (
        <Group mt="sm" gap="sm">
          {problem && <ProblemCode code={problem.code} />}
          {onRetry && (
            <Button size="xs" variant="default" onClick={onRetry}>
              {t('problem.retry')}
            </Button>
          )}
        </Group>
      )}
    </Alert>
  );
}

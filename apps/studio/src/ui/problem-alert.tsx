import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../api/client';
import { sessionQuery } from '../api/session';

const SIGN_IN = '/sign-in';

/** What went wrong, with the problem's code and a way on. */
export function ProblemAlert({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation();
  const problem = error instanceof ApiProblem ? error.problem : null;
  const { pathname, search } = window.location;
  // Not only a session can be wrong: the operator's password is another thing.
  const isSignedOut = useQuery(sessionQuery).data === null && pathname !== SIGN_IN;
  return (
    <Alert color="red" role="alert" title={problem?.title || t('problem.title')}>
      <Text size="sm">{problem?.detail ?? t('problem.unreachable')}</Text>
      <Group mt="sm" gap="sm">
        {problem && <Code>{problem.code}</Code>}
        {isSignedOut && (
          <Button size="xs" component="a" href={`${SIGN_IN}?from=${encodeURIComponent(pathname + search)}`}>
            {t('problem.signIn')}
          </Button>
        )}
        {onRetry && !isSignedOut && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('problem.retry')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

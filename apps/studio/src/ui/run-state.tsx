import { Alert, Text, Badge } from '@mantine/core';
import { ProblemCode } from './ready';
import { usePhrases } from './use-phrases';
import type { Run } from '../api/runs';
import { useTranslation } from '../i18n/i18n';
import type { Schemas } from '../api/api-query';

/** Codes of runs that a person ended; the run did not fail. */
const ENDED_BY_PERSON = new Set(['cancelled', 'rolled_back', 'plan_rejected', 'plan_aborted']);

/** Returns whether an error says that something went wrong. */
export const isFailure = ({ code }: NonNullable<Run['error']>): boolean => !ENDED_BY_PERSON.has(code);

/**
 * Shows why a run ended without a result, with the code of an error. Shows nothing if there is no error.
 */
export function RunError({ error }: { error: Run['error'] }) {
  const { t } = useTranslation();
  const render = usePhrases();
  if (error === null) return null;
  const text = render(error.phrase, error.message);
  if (!isFailure(error)) return <Text c="dimmed">{text}</Text>;
  return (
    <Alert color="red" title={t('run.failed')}>
      <Text size="sm" mb="xs">
        {text}
      </Text>
      <ProblemCode code={error.code} />
    </Alert>
  );
}

type Status = Schemas['Run']['status'];

const COLORS: Record<Status, string> = {
  queued: 'gray',
  running: 'blue',
  needs_answer: 'yellow',
  completed: 'green',
  failed: 'red',
  cancelled: 'gray',
  rejected: 'orange',
};

/** Shows the status of a run. Only a run that needs an answer stands out by a filled badge. */
export function RunStatusBadge({ status }: { status: Status }) {
  const { t } = useTranslation();
  return (
    <Badge variant={status === 'needs_answer' ? 'filled' : 'dot'} color={COLORS[status]}>
      {t(`runStatus.${status}`)}
    </Badge>
  );
}

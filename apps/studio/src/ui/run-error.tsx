import { Alert, Text } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';
import { ProblemCode } from './problem-alert';
import { usePhrases } from './use-phrases';
import type { Run } from '../api/runs';

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

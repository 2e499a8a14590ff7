import { Alert, Code, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Run } from '../api/runs';
import { useRunWords } from './run-words';

/** Codes of runs that a person ended; the run did not fail. */
const ENDED_BY_PERSON = new Set(['cancelled', 'rolled_back']);

/** Returns whether an error says that something went wrong. */
export const isFailure = ({ code }: NonNullable<Run['error']>): boolean => !ENDED_BY_PERSON.has(code);

/**
 * Shows why a run ended without a result: in the language of the pages, and with the service's own words and code for
 * an error. Shows nothing if there is no error.
 */
export function RunError({ error }: { error: Run['error'] }) {
  const { t } = useTranslation();
  const words = useRunWords();
  if (error === null) return null;
  const text = words.error(error.code);
  if (!isFailure(error)) return <Text c="dimmed">{text}</Text>;
  return (
    <Alert color="red" title={text || t('run.failed')}>
      <Text size="sm" mb="xs" lang="en">
        {error.message}
      </Text>
      <Code>{error.code}</Code>
    </Alert>
  );
}

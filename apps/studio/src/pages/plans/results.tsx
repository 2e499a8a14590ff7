import { Alert, Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import { usePhrases } from '../../ui/use-phrases';
import type { Plan } from '../../api/plans';
import { ResultValue } from './result-value';

interface ResultsProps {
  runId: string;
  results: Plan['results'];
}

/** Lists the results of the plan steps: the start of each as a preview, the whole as a file. */
export function Results({ runId, results }: ResultsProps) {
  const { t } = useTranslation();
  const render = usePhrases();
  if (results.length === 0) return null;
  return (
    <section aria-label={t('plans.results')}>
      <Title order={2} size="h4" mb="xs">
        {t('plans.results')}
      </Title>
      <Stack gap="xs">
        {results.map(({ task_id: id, tool, preview, error }) => (
          <Paper key={id} withBorder p="sm">
            <Group gap="sm">
              <Text fw={600}>{id}</Text>
              <Text size="sm" c="dimmed">
                {tool}
              </Text>
              {!error && (
                <Anchor
                  size="sm"
                  href={`/api/plans/${runId}/tasks/${encodeURIComponent(id)}/result`}
                  download={`${id}.json`}
                >
                  {t('export.downloadNamed', { name: id })}
                </Anchor>
              )}
            </Group>
            {error ? (
              <Alert color="red" title={error.code}>
                {render(error.phrase, error.message)}
              </Alert>
            ) : (
              <ResultValue preview={preview} />
            )}
          </Paper>
        ))}
      </Stack>
    </section>
  );
}

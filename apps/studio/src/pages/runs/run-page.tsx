import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Stack } from '@mantine/core';
import { api, unwrap } from '../../api/client';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { EventList } from './event-list';
import { RunProgress } from './run-progress';

const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ['runs', runId],
    queryFn: () => unwrap(api.GET('/api/agents/runs/{run_id}', { params: { path: { run_id: runId } } })),
  });

/** One run: where it stands, what it asks, and everything that happened. */
export function RunPage() {
  const { t } = useTranslation();
  const { runId } = useParams({ from: '/shell/runs/$runId' });
  const { data: run, error, refetch } = useQuery(runQuery(runId));
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!run) return <PageLoader />;
  return (
    <>
      <PageHeader title={t('run.title', { kind: run.kind })} />
      <Stack>
        <RunProgress run={run} />
        <EventList runId={runId} />
      </Stack>
    </>
  );
}

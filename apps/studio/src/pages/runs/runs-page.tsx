import { Anchor, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { runsQuery } from '../../api/runs';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { RunStatusBadge } from '../../ui/run-status-badge';

/** Runs of every kind, newest first. */
export function RunsPage() {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(runsQuery);
  return (
    <>
      <PageHeader title={t('runs.title')} />
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <PageLoader />}
      {data?.items.length === 0 && <EmptyState title={t('runs.empty')} text={t('runs.emptyText')} />}
      {data && data.items.length > 0 && (
        <Table.ScrollContainer minWidth={360}>
          <Table highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('runs.run')}</Table.Th>
                <Table.Th>{t('runs.kind')}</Table.Th>
                <Table.Th>{t('runs.status')}</Table.Th>
                <Table.Th>{t('runs.model')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.items.map((run) => (
                <Table.Tr key={run.id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/runs/${run.id}`} ff="monospace" size="sm">
                      {run.id}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{run.kind}</Table.Td>
                  <Table.Td>
                    <RunStatusBadge status={run.status} />
                  </Table.Td>
                  <Table.Td>{run.model}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  );
}

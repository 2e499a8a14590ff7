import { Anchor, Button, Modal, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { plansQuery } from '../../api/plans';
import { useMay } from '../../api/session';
import { EmptyState } from '../../ui/empty-state';
import { Moment } from '../../ui/moment';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { RunStatusBadge } from '../../ui/run-status-badge';
import { NewPlan } from './new-plan';

/** The plans of the tenant, newest first. */
export function PlansPage() {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const [isOpen, { open, close }] = useDisclosure();
  const { data, error, isPending, refetch } = useQuery(plansQuery);
  const newPlan = mayWrite ? <Button onClick={open}>{t('plans.new')}</Button> : null;
  const some = data !== undefined && data.items.length > 0;
  return (
    <>
      <PageHeader title={t('plans.title')}>
        <Anchor component={Link} to="/tools">
          {t('tools.title')}
        </Anchor>
        {some && newPlan}
      </PageHeader>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <PageLoader />}
      {data && !some && (
        <EmptyState title={t('plans.empty')} text={t('plans.emptyText')}>
          {newPlan}
        </EmptyState>
      )}
      {some && (
        <Table.ScrollContainer minWidth={420}>
          <Table highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('plans.intent')}</Table.Th>
                <Table.Th>{t('runs.status')}</Table.Th>
                <Table.Th>{t('documents.created')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.items.map((run) => (
                <Table.Tr key={run.id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/plans/${run.id}`}>
                      {(run.progress.details as { intent?: string | null }).intent ?? run.id}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>
                    <RunStatusBadge status={run.status} />
                  </Table.Td>
                  <Table.Td>
                    <Moment at={run.created_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Modal opened={isOpen} onClose={close} title={t('plans.new')} size="lg">
        <NewPlan />
      </Modal>
    </>
  );
}

import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { retryDeadLetter, type Operator, type ServiceState } from '../../api/operation';
import { formatBytes, formatNumber } from '../../ui/format';
import { ProblemAlert } from '../../ui/problem-alert';
import { Section } from '../../ui/card';
import { ListTable } from '../../ui/list-table';

interface ServiceTablesProps {
  state: ServiceState;
  operator: Operator;
  onChanged: () => void;
}

/** Lists queues, stuck runs, failed jobs and tenants. */
export function ServiceTables({ state, operator, onChanged }: ServiceTablesProps) {
  const { t } = useTranslation();
  const retrying = useMutation({
    mutationFn: ({ queue, job_id }: ServiceState['dead'][number]) => retryDeadLetter(operator, queue, job_id),
    onSuccess: onChanged,
  });
  return (
    <Stack gap="xl">
      <Listed
        title={t('service.queues')}
        head={['queue', 'waiting', 'active', 'delayed', 'failed']}
        rows={state.queues.map(({ queue, waiting, active, delayed, failed }) => ({
          key: queue,
          cells: [queue, waiting, active, delayed, failed],
        }))}
      />
      <Listed
        title={t('service.stuck')}
        head={['run', 'kind', 'reason', 'crashes']}
        rows={state.stuck.map(({ id, kind, reason, crashes }) => ({
          key: id,
          cells: [id, kind, reason, crashes],
        }))}
      />
      {retrying.error && <ProblemAlert error={retrying.error} />}
      <Listed
        title={t('service.dead')}
        head={['queue', 'job', 'reason', 'retry']}
        rows={state.dead.map((letter) => ({
          key: `${letter.queue}/${letter.job_id}`,
          cells: [
            letter.queue,
            letter.name,
            letter.reason,
            <Button
              key="retry"
              size="xs"
              variant="default"
              loading={retrying.isPending}
              onClick={() => retrying.mutate(letter)}
            >
              {t('service.retryNow')}
            </Button>,
          ],
        }))}
      />
      <Tenants tenants={state.tenants} />
    </Stack>
  );
}

function Tenants({ tenants }: Pick<ServiceState, 'tenants'>) {
  const { t } = useTranslation();
  return (
    <Listed
      title={t('service.tenants')}
      head={['tenant', 'storage', 'tokens', 'suspended']}
      rows={tenants.map((tenant) => ({
        key: tenant.id,
        cells: [
          tenant.name,
          formatBytes(tenant.storage_bytes),
          formatNumber(tenant.monthly_tokens),
          tenant.suspended ? t('service.yes') : '',
        ],
      }))}
    />
  );
}

interface ListedProps {
  title: string;
  /** Names of the columns in the message file. */
  head: string[];
  rows: { key: string; cells: ReactNode[] }[];
}

function Listed({ title, head, rows }: ListedProps) {
  const { t } = useTranslation();
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('service.none')}</Text>
      ) : (
        <ListTable<{ id: string; cells: ReactNode[] }>
          items={rows.map(({ key: id, cells }) => ({ id, cells }))}
          minWidth={480}
          columns={head.map((name, index) => ({
            label: t(`service.column.${name}`),
            cell: ({ cells }) => cells[index],
          }))}
        />
      )}
    </Section>
  );
}

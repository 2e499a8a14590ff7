import { Button, Group, SegmentedControl, Stack, Table, Title } from '@mantine/core';
import { costsCsv } from '#contracts/usage-csv.js';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import type { Usage } from '../../api/operation';
import { formatCost, formatNumber } from '../../ui/format';

const GROUPS = ['key', 'project', 'kind'] as const;
const LABELS = { key: 'usage.byKey', project: 'usage.byProject', kind: 'usage.byKind' } as const;

/** Shows what model calls have cost by key, project or kind of run, and offers it as CSV (X7). */
export function CostTable({ costs }: Pick<Usage, 'costs'>) {
  const { t } = useTranslation();
  const [group, setGroup] = useState<(typeof GROUPS)[number]>('kind');
  const rows = costs[group];
  if (rows.length === 0) return null;
  const csv = `data:text/csv;charset=utf-8,${encodeURIComponent(costsCsv(costs))}`;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('usage.costs')}
        </Title>
        <Group>
          <SegmentedControl
            aria-label={t('usage.costs')}
            value={group}
            onChange={(value) => setGroup(value as typeof group)}
            data={GROUPS.map((value) => ({ value, label: t(LABELS[value]) }))}
          />
          <Button component="a" variant="default" size="xs" href={csv} download="usage.csv">
            {t('usage.csv')}
          </Button>
        </Group>
      </Group>
      <Table.ScrollContainer minWidth={600}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('usage.name')}</Table.Th>
              <Table.Th ta="right">{t('usage.calls')}</Table.Th>
              <Table.Th ta="right">{t('usage.input')}</Table.Th>
              <Table.Th ta="right">{t('usage.cached')}</Table.Th>
              <Table.Th ta="right">{t('usage.output')}</Table.Th>
              <Table.Th ta="right">{t('usage.costSum')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.id ?? ''}>
                <Table.Td>{row.name ?? row.id ?? t('usage.others')}</Table.Td>
                <Table.Td ta="right">{formatNumber(row.model_calls)}</Table.Td>
                <Table.Td ta="right">{formatNumber(row.input_tokens)}</Table.Td>
                <Table.Td ta="right">{formatNumber(row.cached_tokens)}</Table.Td>
                <Table.Td ta="right">{formatNumber(row.output_tokens)}</Table.Td>
                <Table.Td ta="right">{formatCost(row.cost)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

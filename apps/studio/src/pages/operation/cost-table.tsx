import { Button, Group, SegmentedControl, Stack, Title } from '@mantine/core';
import { costsCsv } from '#contracts/usage-csv.js';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import type { Usage } from '../../api/operation';
import { formatCost, formatNumber } from '../../ui/format';
import { ListTable } from '../../ui/list-table';

const GROUPS = ['key', 'project', 'kind'] as const;
const LABELS = { key: 'usage.byKey', project: 'usage.byProject', kind: 'usage.byKind' } as const;

/** Shows what model calls have cost by key, project or kind of run, and offers it as CSV (X7). */
export function CostTable({ costs }: Pick<Usage, 'costs'>) {
  const { t } = useTranslation();
  const [group, setGroup] = useState<(typeof GROUPS)[number]>('kind');
  const rows = costs[group];
  if (rows.length === 0) return null;
  const number = (label: string, cell: (row: (typeof rows)[number]) => string) => ({
    label,
    cell,
    isNumber: true,
  });
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
      <ListTable
        items={rows}
        minWidth={600}
        columns={[
          { label: t('usage.name'), cell: ({ id, name }) => name ?? id ?? t('usage.others') },
          number(t('usage.calls'), ({ model_calls: calls }) => formatNumber(calls)),
          number(t('usage.input'), ({ input_tokens: tokens }) => formatNumber(tokens)),
          number(t('usage.cached'), ({ cached_tokens: tokens }) => formatNumber(tokens)),
          number(t('usage.output'), ({ output_tokens: tokens }) => formatNumber(tokens)),
          number(t('usage.costSum'), ({ cost }) => formatCost(cost)),
        ]}
      />
    </Stack>
  );
}

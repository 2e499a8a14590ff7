import './usage.css';
import { Text, Button, Group, SegmentedControl, Stack, Paper, Progress, SimpleGrid } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import { costsCsv } from '#contracts/usage-csv.js';
import { useState } from 'react';
import { apiQuery, type Schemas } from '../../api/api-query';
import { formatCost, formatNumber, formatBytes, formatDay } from '../../ui/format';
import { ListTable } from '../../ui/list-table';
import { Heading, Hint, PageHeader, useReady } from '../../ui/frames';
import { useTab } from '../../ui/page-tabs';

type Usage = Schemas['Usage'];

const PERIODS = [7, 30, 90] as const;

/** Shows the tenant's daily usage, and the rest of its limits (X7). */
export default function UsagePage() {
  const { t } = useTranslation();
  const [period, setPeriod] = useTab(String(PERIODS[1]), 'days');
  const days = PERIODS.find((known) => String(known) === period) ?? PERIODS[1];
  const [data, instead] = useReady(apiQuery(['usage', days], '/api/usage', { days }));
  return (
    <>
      <PageHeader title={t('usage.title')}>
        <SegmentedControl
          className="one-line"
          aria-label={t('usage.period')}
          value={String(days)}
          onChange={setPeriod}
          data={PERIODS.map((count) => ({ value: String(count), label: t('usage.days', { count }) }))}
        />
      </PageHeader>
      {instead ?? <Figures usage={data} />}
    </>
  );
}

function Figures({ usage }: { usage: Usage }) {
  const { t } = useTranslation();
  const limits = [
    [t('usage.monthTokens'), usage.monthly_tokens, usage.max_monthly_tokens, formatNumber],
    [t('usage.monthCost'), usage.monthly_cost, usage.max_monthly_cost, formatCost],
    [t('usage.storage'), usage.storage_bytes, usage.max_storage_bytes, formatBytes],
  ] as const;
  const series = [
    {
      label: t('usage.tokens'),
      of: (day: Usage['days'][number]) => day.input_tokens + day.output_tokens,
      format: formatNumber,
    },
    { label: t('usage.cost'), of: (day: Usage['days'][number]) => day.cost, format: formatCost },
    { label: t('usage.runs'), of: (day: Usage['days'][number]) => day.runs, format: formatNumber },
  ];
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {limits.map(([label, used, limit, format]) => (
          <Paper key={label} withBorder p="md">
            <Hint>{label}</Hint>
            <Group gap={4} align="baseline">
              <Text fw={600} size="lg" children={format(used)} />
              <Text size="sm">{limit === null ? t('usage.noLimit') : `/ ${format(limit)}`}</Text>
            </Group>
            {limit !== null && (
              <Progress
                value={(used / limit) * 100}
                color={used > 0.9 * limit ? 'red' : undefined}
                aria-label={label}
              />
            )}
          </Paper>
        ))}
      </SimpleGrid>
      {series.map(({ label, of, format }) => (
        <BarChart
          key={label}
          label={label}
          bars={usage.days.map((day) => ({ name: formatDay(day.day), value: of(day) }))}
          format={format}
        />
      ))}
      <CostTable costs={usage.costs} />
    </Stack>
  );
}

const GROUPS = ['key', 'project', 'kind'] as const;
const LABELS = { key: 'usage.byKey', project: 'usage.byProject', kind: 'usage.byKind' } as const;

/** Shows what model calls have cost by key, project or kind of run, and offers it as CSV (X7). */
function CostTable({ costs }: Pick<Usage, 'costs'>) {
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
        <Heading>{t('usage.costs')}</Heading>
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

interface BarChartProps {
  label: string;
  bars: readonly { name: string; value: number }[];
  format: (value: number) => string;
}

/** Shows figures as bars; screen readers get them as a list. */
function BarChart({ label, bars, format }: BarChartProps) {
  const { t } = useTranslation();
  const highest = Math.max(...bars.map(({ value }) => value), 0);
  return (
    <figure className="bar-chart">
      <figcaption>
        <Text fw={600}>{label}</Text>
        <Text size="xs" c="dimmed">
          {bars[0]?.name} – {bars.at(-1)?.name}
          {highest === 0 ? `: ${t('usage.nothing')}` : `, max. ${format(highest)}`}
        </Text>
      </figcaption>
      {highest > 0 && (
        <ul className="bars">
          {bars.map(({ name, value }) => (
            <li key={name} title={`${name}: ${format(value)}`}>
              <span className="visually-hidden">
                {name}: {format(value)}
              </span>
              <span className="bar" style={{ height: `${(value / highest) * 100}%` }} />
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

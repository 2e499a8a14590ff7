import { Group, Paper, Progress, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { usageQuery, type Usage } from '../../api/operation';
import { formatBytes, formatCost, formatDay, formatNumber } from '../../ui/format';
import { PageHeader } from '../../ui/page-header';
import { BarChart } from '../../ui/bar-chart';
import { useTab } from '../../ui/use-tab';
import { CostTable } from './cost-table';
import { Hint } from '../../ui/card';
import { ready } from '../../ui/ready';

const PERIODS = [7, 30, 90] as const;

/** Shows the tenant's daily usage, and the rest of its limits (X7). */
export default function UsagePage() {
  const { t } = useTranslation();
  const [period, setPeriod] = useTab(String(PERIODS[1]), 'days');
  const days = PERIODS.find((known) => String(known) === period) ?? PERIODS[1];
  const [data, instead] = ready(useQuery(usageQuery(days)));
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
        <Limit
          label={t('usage.monthTokens')}
          used={usage.monthly_tokens}
          limit={usage.max_monthly_tokens}
          format={formatNumber}
        />
        <Limit
          label={t('usage.monthCost')}
          used={usage.monthly_cost}
          limit={usage.max_monthly_cost}
          format={formatCost}
        />
        <Limit
          label={t('usage.storage')}
          used={usage.storage_bytes}
          limit={usage.max_storage_bytes}
          format={formatBytes}
        />
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

interface LimitProps {
  label: string;
  used: number;
  /** Null if unlimited. */
  limit: number | null;
  format: (value: number) => string;
}

function Limit({ label, used, limit, format }: LimitProps) {
  const { t } = useTranslation();
  const share = limit ? (used / limit) * 100 : 0;
  return (
    <Paper withBorder p="md">
      <Hint>{label}</Hint>
      <Group gap={4} align="baseline">
        <Text fw={600} size="lg">
          {format(used)}
        </Text>
        <Text size="sm">{limit === null ? t('usage.noLimit') : `/ ${format(limit)}`}</Text>
      </Group>
      {limit !== null && <Progress value={share} color={share > 90 ? 'red' : undefined} aria-label={label} />}
    </Paper>
  );
}

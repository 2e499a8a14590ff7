import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { useMay } from '../../api/session';
import { isBlockingError } from '../../api/query-client';
import { retryingImport } from '../../api/retrying-import';
import {
  changeSchedule,
  deleteSchedule,
  fireSchedule,
  scheduleQuery,
  schedulesQuery,
  type Firing,
  type Schedule,
} from '../../api/schedules';
import { useTranslation } from '../../i18n/i18n';
import { EmptyState } from '../../ui/empty-state';
import { ListTable } from '../../ui/list-table';
import { Moment } from '../../ui/moment';
import { PageHeader } from '../../ui/page-header';
import { ProblemAlert } from '../../ui/problem-alert';
import { RouteAnchor } from '../../ui/route-links';
import { usePhrases } from '../../ui/use-phrases';
import { Card } from '../../ui/card';
import { RemoveButton } from '../../ui/remove-button';

const NewSchedule = lazy(retryingImport(() => import('./new-schedule')));
const REFRESH_MS = 5_000;
const COLOURS = { due: 'gray', started: 'green', skipped: 'yellow', failed: 'red' } as const;

/** Lists the runs that start at planned times, and what came of the last ones. */
export function SchedulesPage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({ ...schedulesQuery, refetchInterval: REFRESH_MS });
  const [isAdding, setAdding] = useState(false);
  const mayWrite = useMay('write');
  return (
    <>
      <PageHeader title={t('schedules.title')}>
        {mayWrite && (
          <Button aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
            {t('schedules.new')}
          </Button>
        )}
      </PageHeader>
      <Stack>
        {isBlockingError(error, data) && <ProblemAlert error={error} onRetry={() => void refetch()} />}
        {isAdding && (
          <Paper withBorder p="md">
            <NewSchedule onCreated={() => setAdding(false)} />
          </Paper>
        )}
        {data?.items.length === 0 && (
          <EmptyState title={t('schedules.empty')} text={t('schedules.emptyText')} />
        )}
        {data?.items.map((schedule) => (
          <ScheduleCard key={schedule.id} schedule={schedule} />
        ))}
      </Stack>
    </>
  );
}

function ScheduleCard({ schedule }: { schedule: Schedule }) {
  const { t } = useTranslation();
  const { id, name, cron, every_seconds: every, time_zone: zone, next_at: next } = schedule;
  const isPaused = schedule.paused_at !== null;
  const mayWrite = useMay('write');
  const [isOpen, setOpen] = useState(false);
  const pausing = useMutation({ mutationFn: () => changeSchedule(id, { is_paused: !isPaused }) });
  const firing = useMutation({ mutationFn: () => fireSchedule(id), onSuccess: () => setOpen(true) });
  const error = pausing.error ?? firing.error;
  return (
    <Card label={name} component="article">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h4">
            {name}
          </Title>
          <Text size="sm" c="dimmed" component="div">
            {cron === null ? t('schedules.every', { seconds: every! }) : `${cron} (${zone})`}
            {' · '}
            {next === null ? (
              t(isPaused ? 'schedules.paused' : 'schedules.ended')
            ) : (
              <>
                {t('schedules.next')} <Moment at={next} />
              </>
            )}
          </Text>
        </div>
        <Group gap="xs">
          <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t('schedules.runs')}
          </Button>
          {mayWrite && (
            <>
              <Button size="xs" variant="default" loading={firing.isPending} onClick={() => firing.mutate()}>
                {t('schedules.fire')}
              </Button>
              <Button
                size="xs"
                variant="default"
                loading={pausing.isPending}
                onClick={() => pausing.mutate()}
              >
                {t(isPaused ? 'schedules.resume' : 'schedules.pause')}
              </Button>
              <RemoveButton name={name} remove={() => deleteSchedule(id)} />
            </>
          )}
        </Group>
      </Group>
      {error && <ProblemAlert error={error} />}
      {isOpen && <Firings scheduleId={id} />}
    </Card>
  );
}

/** Lists the last planned times of a schedule, and the run or the reason why there is none. */
function Firings({ scheduleId }: { scheduleId: string }) {
  const { t } = useTranslation();
  const render = usePhrases();
  const { data, error, refetch } = useQuery({ ...scheduleQuery(scheduleId), refetchInterval: REFRESH_MS });
  if (isBlockingError(error, data)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (data?.firings.length === 0) return <Text c="dimmed">{t('schedules.noRuns')}</Text>;
  const rows = (data?.firings ?? []).map((firing) => ({ ...firing, id: firing.planned_at }));
  return (
    <ListTable<Firing & { id: string }>
      items={rows}
      minWidth={480}
      columns={[
        { label: t('schedules.planned'), cell: ({ planned_at: at }) => <Moment at={at} /> },
        {
          label: t('schedules.outcome'),
          cell: ({ status }) => (
            <Badge variant="dot" color={COLOURS[status]}>
              {t(`schedules.status.${status}`)}
            </Badge>
          ),
        },
        {
          label: t('schedules.result'),
          cell: ({ run_id: runId, problem }) =>
            runId === null ? (
              problem && render(problem.phrase, problem.detail)
            ) : (
              <RouteAnchor to="/runs/$runId" params={{ runId }} size="sm">
                {t('decision.run')}
              </RouteAnchor>
            ),
        },
      ]}
    />
  );
}

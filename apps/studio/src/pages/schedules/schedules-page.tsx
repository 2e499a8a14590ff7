import { NewItem } from '../../ui/new-item';
import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Schemas, apiQuery, change } from '../../api/api-query';
import { useMay } from '../../api/session';
import { useTranslation } from '../../i18n/i18n';
import { EmptyState, PageHeader, Card, Heading, StateBadge, useReady } from '../../ui/frames';
import { ListTable } from '../../ui/list-table';
import { Moment } from '../../ui/format';
import { usePhrases } from '../../ui/run-words';
import { ActionButton, RemoveButton, SmallButton } from '../../ui/actions';
import { RunLink } from '../../ui/work-name';
import { lazyPart } from '../../ui/lazy-part';

const NewSchedule = lazyPart(() => import('./new-schedule'));
const REFRESH = { refetchInterval: 5_000 };
const schedulesQuery = apiQuery(['schedules'], '/api/schedules', {}, REFRESH);

/** Lists the runs that start at planned times, and what came of the last ones. */
export default function SchedulesPage() {
  const { t } = useTranslation();
  const [data, instead] = useReady(schedulesQuery);
  return (
    <>
      <PageHeader title={t('schedules.title')}>
        <NewItem label={t('schedules.new')}>
          <NewSchedule />
        </NewItem>
      </PageHeader>
      <Stack>
        {instead}
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

function ScheduleCard({ schedule }: { schedule: Schemas['Schedule'] }) {
  const { t } = useTranslation();
  const { id, name, cron, every_seconds: every, time_zone: zone, next_at: next } = schedule;
  const at = { schedule_id: id };
  const isPaused = schedule.paused_at !== null;
  const [event] = Object.keys(schedule.on ?? {}) as ('webhook' | 'new_file' | 's3_prefix')[];
  const isOnRequest = cron === null && every === null && !event;
  const timing = event
    ? t(`schedules.on.${event}`)
    : cron === null
      ? every && t('schedules.every', { seconds: every })
      : `${cron} (${zone})`;
  const mayWrite = useMay('write');
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      label={name}
      component="article"
      title={
        <div>
          <Heading>{name}</Heading>
          <Text size="sm" c="dimmed" component="div">
            {timing}
            {' · '}
            {next === null ? (
              t(`schedules.${isPaused ? 'paused' : event ? 'waiting' : isOnRequest ? 'onRequest' : 'ended'}`)
            ) : (
              <>
                {t('schedules.next')} <Moment at={next} />
              </>
            )}
          </Text>
        </div>
      }
      actions={
        <Group gap="xs">
          <SmallButton label={t('schedules.runs')} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
          {mayWrite && (
            <>
              <ActionButton
                isSmall
                label={t('schedules.fire')}
                act={async () => {
                  await change('POST /api/schedules/{schedule_id}/fire', at, ['schedules']);
                  setOpen(true);
                }}
              />
              <ActionButton
                isSmall
                label={t(isPaused ? 'schedules.resume' : 'schedules.pause')}
                act={() => {
                  const body = { is_paused: !isPaused };
                  return change('PATCH /api/schedules/{schedule_id}', { ...at, body }, ['schedules']);
                }}
              />
              <RemoveButton
                name={name}
                act={() => change('DELETE /api/schedules/{schedule_id}', at, ['schedules'])}
              />
            </>
          )}
        </Group>
      }
    >
      {isOpen && <Firings scheduleId={id} />}
    </Card>
  );
}

const countsOf = ({ problems: _, ...counts }: NonNullable<Schemas['ScheduleFiring']['result']>) => counts;

/** Lists the last planned times of a schedule, and the run or the reason why there is none. */
function Firings({ scheduleId }: { scheduleId: string }) {
  const { t } = useTranslation();
  const render = usePhrases();
  const at = { schedule_id: scheduleId };
  const query = apiQuery(['schedules', scheduleId], '/api/schedules/{schedule_id}', at, REFRESH);
  const [data, instead] = useReady(query);
  if (instead) return instead;
  if (data.firings.length === 0) return <Text c="dimmed">{t('schedules.noRuns')}</Text>;
  return (
    <ListTable
      items={data.firings.map((firing) => ({ ...firing, id: `${firing.planned_at} ${firing.event ?? ''}` }))}
      minWidth={480}
      columns={[
        {
          label: t('schedules.planned'),
          cell: ({ planned_at: at, event }) => (
            <>
              <Moment at={at} /> {event}
            </>
          ),
        },
        {
          label: t('schedules.outcome'),
          cell: ({ status }) => <StateBadge state={status} text={t(`schedules.status.${status}`)} />,
        },
        {
          label: t('schedules.result'),
          cell: ({ run_id: runId, problem, result }) =>
            runId === null ? (
              problem ? (
                render(problem.phrase, problem.detail)
              ) : (
                result && t('schedules.found', countsOf(result))
              )
            ) : (
              <RunLink id={runId}>{t('decision.run')}</RunLink>
            ),
        },
      ]}
    />
  );
}

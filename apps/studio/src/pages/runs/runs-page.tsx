import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { isOver, RUN_STATUSES, runsOf, type Run } from '../../api/runs';
import { ListPage } from '../../ui/list-page';
import { formatDuration, Moment } from '../../ui/format';
import { RunStatusBadge, useRunName, useRunPart, RunLink, RunFailure } from '../../ui/work-name';
import { WriterName } from '../../ui/writer-name';

/** Lists runs of every kind, newest first; search and filter are part of the address. */
export default function RunsPage() {
  const { t } = useTranslation();
  const nameOf = useRunName();
  const partOf = useRunPart();
  const { title, status } = useSearch({ from: '/shell/settings/runs' });
  return (
    <ListPage
      title={t('runs.title')}
      query={useInfiniteQuery({ ...runsOf({ title, status }), placeholderData: keepPreviousData })}
      minWidth={640}
      empty={{ title: t('runs.empty'), text: t('runs.emptyText') }}
      search={t('list.search')}
      filter={{
        name: 'status',
        label: t('runs.status'),
        any: t('runs.anyStatus'),
        values: RUN_STATUSES,
        labelOf: (value) => t(`runStatus.${value}`),
      }}
      columns={[
        {
          label: t('documents.name'),
          cell: (run) => (
            <RunLink id={run.id} size="md">
              {nameOf(run)}
            </RunLink>
          ),
        },
        { label: t('runs.kind'), cell: partOf },
        {
          label: t('runs.status'),
          cell: (run) => (
            <>
              <RunStatusBadge status={run.status} />
              <RunFailure run={run} />
            </>
          ),
        },
        { label: t('runs.duration'), cell: durationOf, isNumber: true },
        { label: t('documents.created'), cell: ({ created_at: at }) => <Moment at={at} /> },
        { label: t('runs.model'), cell: (run) => <WriterName run={run} /> },
      ]}
    />
  );
}

/** Formats the time from the start of a run to its end; empty until it ends. */
function durationOf(run: Run): string {
  if (!isOver(run) || run.finished_at === null) return '';
  return formatDuration(Date.parse(run.finished_at) - Date.parse(run.created_at));
}

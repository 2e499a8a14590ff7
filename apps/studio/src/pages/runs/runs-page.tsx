import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { isOver, RUN_STATUSES, runsOf, type Run } from '../../api/runs';
import { ListPage } from '../../ui/list-page';
import { formatDuration } from '../../ui/format';
import { Moment } from '../../ui/moment';
import { isFailure } from '../../ui/run-error';
import { RunStatusBadge } from '../../ui/run-status-badge';
import { usePhrases } from '../../ui/use-phrases';
import { useRunName, useRunPart, RunLink } from '../../ui/work-name';
import { WriterName } from '../../ui/writer-name';

/** Lists runs of every kind, newest first; search and filter are part of the address. */
export default function RunsPage() {
  const { t } = useTranslation();
  const nameOf = useRunName();
  const partOf = useRunPart();
  const navigate = useNavigate();
  const { title, status } = useSearch({ from: '/shell/settings/runs' });
  const show = (change: { title?: string | undefined; status?: Run['status'] | undefined }) => {
    const next = { title, status, ...change };
    const search = { ...(next.title && { title: next.title }), ...(next.status && { status: next.status }) };
    void navigate({ to: '/settings/runs', search, replace: true });
  };
  return (
    <ListPage
      title={t('runs.title')}
      query={useInfiniteQuery({ ...runsOf({ title, status }), placeholderData: keepPreviousData })}
      minWidth={640}
      empty={{ title: t('runs.empty'), text: t('runs.emptyText') }}
      search={{
        label: t('list.search'),
        value: title ?? '',
        onSearch: (text) => show({ title: text || undefined }),
      }}
      filter={{
        label: t('runs.status'),
        any: t('runs.anyStatus'),
        values: RUN_STATUSES,
        labelOf: (value) => t(`runStatus.${value}`),
        value: status,
        onChange: (chosen) => show({ status: chosen }),
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
        { label: t('runs.status'), cell: (run) => <State run={run} /> },
        { label: t('runs.duration'), cell: durationOf, isNumber: true },
        { label: t('documents.created'), cell: ({ created_at: at }) => <Moment at={at} /> },
        { label: t('runs.model'), cell: (run) => <WriterName run={run} /> },
      ]}
    />
  );
}

function State({ run }: { run: Run }) {
  const render = usePhrases();
  return (
    <>
      <RunStatusBadge status={run.status} />
      {run.error && isFailure(run.error) && (
        <div className="problem-text list-error">{render(run.error.phrase, run.error.message)}</div>
      )}
    </>
  );
}

/** Formats the time from the start of a run to its end; empty until it ends. */
function durationOf(run: Run): string {
  if (!isOver(run) || run.finished_at === null) return '';
  return formatDuration(Date.parse(run.finished_at) - Date.parse(run.created_at));
}

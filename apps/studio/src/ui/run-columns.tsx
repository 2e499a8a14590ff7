import type { Translate } from '../i18n/i18n';
import { isOver, type Run } from '../api/runs';
import { formatDuration } from './format';
import type { Column } from './list-table';
import { Moment } from './moment';
import { isFailure } from './run-error';
import { RunStatusBadge } from './run-status-badge';
import { usePhrases } from './use-phrases';

/**
 * Returns the last columns of lists of runs, or of items with a run: status with the error, duration and
 * creation time.
 *
 * @param runOf returns the run of an item; null if there is none
 */
export const runColumns = <Item extends { created_at: string }>(
  t: Translate,
  runOf: (item: Item) => Run | null,
): Column<Item>[] => [
  { label: t('runs.status'), cell: (item) => <RunState run={runOf(item)} /> },
  { label: t('runs.duration'), cell: (item) => durationOf(runOf(item)), isNumber: true },
  { label: t('documents.created'), cell: ({ created_at }) => <Moment at={created_at} /> },
];

function RunState({ run }: { run: Run | null }) {
  const render = usePhrases();
  if (!run) return null;
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
function durationOf(run: Run | null): string {
  if (!run || !isOver(run) || run.finished_at === null) return '';
  return formatDuration(Date.parse(run.finished_at) - Date.parse(run.created_at));
}

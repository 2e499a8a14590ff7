import { Badge } from '@mantine/core';
import { isOver } from '../api/runs';
import type { Work } from '../api/work';
import { useTranslation } from '../i18n/i18n';
import { isFailure } from './run-error';
import { RunStatusBadge } from './run-status-badge';
import { usePhrases } from './use-phrases';

/**
 * Shows the newest state of a work. Between its runs, a book has the stage that its author reached: a run writes only a
 * part of it.
 */
export function WorkState({ work: { latest_run: run, project_status: stage } }: { work: Work }) {
  const { t } = useTranslation();
  if (stage !== null && (run === null || isOver(run)))
    return <Badge variant="default">{t(`bookStatus.${stage}`, { defaultValue: stage })}</Badge>;
  return run && <RunStatusBadge status={run.status} />;
}

/** Says why the newest run of a work failed; nothing if it did not. */
export function WorkFailure({ work: { latest_run: run, project_status: stage } }: { work: Work }) {
  const render = usePhrases();
  if (!run?.error || stage !== null || !isFailure(run.error)) return null;
  return <div className="problem-text list-error">{render(run.error.phrase, run.error.message)}</div>;
}

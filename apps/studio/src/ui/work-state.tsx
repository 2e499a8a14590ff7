import { Badge } from '@mantine/core';
import { isOver, type Run } from '../api/runs';
import type { Work } from '../api/work';
import { useTranslation } from '../i18n/i18n';
import { isFailure, RunStatusBadge } from './run-state';
import { usePhrases } from './use-phrases';

/** Stages of a book whose text is complete; a failure of its last run is history. */
const COMPLETE = new Set<string | null>(['written', 'exported']);

/**
 * Shows the newest state of a work. Between its runs, a book has the stage that its author reached: a run writes only a
 * part of it.
 */
export function WorkState({ work: { latest_run: run, project_status: stage } }: { work: Work }) {
  const { t } = useTranslation();
  const hasFailed = run?.error && isFailure(run.error) && !COMPLETE.has(stage);
  if (stage !== null && (run === null || isOver(run)) && !hasFailed)
    return <Badge variant="default">{t(`bookStatus.${stage}`, { defaultValue: stage })}</Badge>;
  return run && <RunStatusBadge status={run.status} />;
}

/** Says in a list why a run failed; nothing otherwise. */
export function RunFailure({ run: { error } }: { run: Pick<Run, 'error'> }) {
  const render = usePhrases();
  if (!error || !isFailure(error)) return null;
  return <div className="problem-text list-error">{render(error.phrase, error.message)}</div>;
}

/** What a person should know of a plan although it went on or succeeded. */
type Warning = { message: string; phrase?: Parameters<ReturnType<typeof usePhrases>>[0] };

/** Says why the newest run of a work failed, and what its plan warns of; nothing otherwise. */
export function WorkFailure({ work: { latest_run: run, project_status: stage } }: { work: Work }) {
  const render = usePhrases();
  if (!run || COMPLETE.has(stage)) return null;
  const { warnings = [] } = run.progress.details as { warnings?: Warning[] };
  return (
    <>
      <RunFailure run={run} />
      {warnings.map(({ phrase, message }) => (
        <div key={message} className="list-error" children={render(phrase, message)} />
      ))}
    </>
  );
}

import { bookProgress, type BookProgress } from '../books/progress';
import { Hint } from '../../ui/frames';
import { change } from '../../api/api-query';
import { isOver, type Run } from '../../api/runs';
import { useTranslation } from '../../i18n/i18n';
import { ConfirmedAction } from '../../ui/actions';
import { Group, Paper, Stack, Text, Progress } from '@mantine/core';
import { useRunEvents } from '../../api/run-events';
import { useRefresh } from '../../api/refresh';
import { useMay } from '../../api/session';
import { ConnectionNotice } from '../../ui/connection-notice';
import { RunError, RunStatusBadge, RunLink } from '../../ui/work-name';
import { isByRules, WriterName } from '../../ui/writer-name';
import { AnsweredElsewhere } from '../decisions/answered-elsewhere';
import DecisionReview from '../decisions/decision-review';
import { TryAgain } from './try-again';
import { useRef, type ReactNode } from 'react';
import { useRunWords, usePhrases } from '../../ui/run-words';
import { useOpenDecisions } from '../../api/decisions';

interface RunProgressProps {
  run: Run;
  /** The run of which it is a part; only that of a whole book has a total. */
  whole?: Run;
  /** What it does, if the page has several runs. */
  part?: string;
  /** Buttons that stop the run. */
  stop?: ReactNode;
  /** Whether the page shows the end of the run itself. */
  isOwnPage?: boolean;
  /** Whether the page is about something else than what failed. */
  isElsewhere?: boolean;
}

/** Shows a run's progress and questions live, with a button to cancel it; in one line if it waits or is finished. */
export function RunProgress(props: RunProgressProps) {
  const { run, whole, part, isOwnPage = false, isElsewhere = false } = props;
  const { t } = useTranslation();
  useRefresh(run, useRunEvents(run.id).events);
  const open = useOpenDecisions(run.id);
  const mayWrite = useMay('write');
  const isDone = run.status === 'completed';
  const isActive = isMoving(run);
  const facts = (
    <Group gap="sm">
      {(!isDone || isOwnPage) && <RunStatusBadge status={run.status} />}
      {!isDone && part && <Text size="sm" fw={600} children={part} />}
      <Hint>
        <Writer run={run} />
      </Hint>
      {!isOwnPage && <RunLink id={run.id}>{t('run.details')}</RunLink>}
      <ConnectionNotice runId={run.id} />
    </Group>
  );
  return (
    <Stack component="section" aria-label={t('statusCard.title')}>
      {isDone && !isOwnPage ? (
        facts
      ) : (
        <Paper withBorder={isActive} p={isActive ? 'md' : 0}>
          <Group justify="space-between" align="start" wrap="nowrap">
            {facts}
            {!isOver(run) && mayWrite && (props.stop ?? <CancelRun runId={run.id} />)}
          </Group>
          {!isDone && <ProgressLine run={run} whole={whole} />}
        </Paper>
      )}
      {!isElsewhere && <RunError error={run.error} />}
      {!isElsewhere && isOver(run) && !isDone && <TryAgain run={run} />}
      <AnsweredElsewhere open={open} />
      {open?.map((decision) => (
        <DecisionReview key={decision.id} decision={decision} />
      ))}
    </Stack>
  );
}

/** Returns whether a run works or is about to, instead of being over or waiting for an answer. */
const isMoving = (run: Run) => !isOver(run) && run.status !== 'needs_answer';

/** Names the model of a run, and the parts that rules wrote instead. */
function Writer({ run }: { run: Run }) {
  const { t } = useTranslation();
  const words = useRunWords();
  const own = run.progress.details as BookProgress;
  const { fallback_stages: stages = [] } = run.kind === 'book' ? bookProgress(run) : own;
  // Without a model, rules write every stage.
  if (stages.length === 0 || isByRules(run)) return <WriterName run={run} />;
  return `${run.model} · ${t('articles.byRules', { stages: stages.map(words.stage).join(', ') })}`;
}

interface DocumentDetails {
  sources?: { files: number; files_written: number; lines: number; lines_written: number } | null;
}

/**
 * Shows the progress of a run: the share of written sources, and its current phase.
 *
 * @param whole the run of which it is a part; only that of a whole book has a total
 */
function ProgressLine({ run, whole = run }: { run: Run; whole: Run | undefined }) {
  const { t } = useTranslation();
  const words = useRunWords();
  const render = usePhrases();
  const written = useShareWritten(whole);
  const phase =
    words.phase(run.progress.phase ?? '') ||
    render(run.progress.phrase, run.progress.label ?? t('run.beginning'));
  return (
    <Stack gap={4} mt="sm">
      {run.status === 'running' && (run.kind === 'document' || whole.progress.total !== null) && (
        <Progress
          animated
          value={written.share * 100}
          aria-label={t(run.kind === 'document' ? 'run.written' : 'statusCard.progress')}
        />
      )}
      <Text size="sm" role="status">
        {isMoving(run) && phase}
        {written.files > 0 && (
          <>
            {isMoving(run) && ' · '}
            {t('run.sourcesWritten', { done: written.done, count: written.files })}
          </>
        )}
      </Text>
    </Stack>
  );
}

/**
 * Returns the share of the sources' lines that the text carries, 0…1, and the number of files. It never decreases,
 * although a run may rewrite a chapter.
 */
function useShareWritten(run: Run): { share: number; done: number; files: number } {
  const highest = useRef({ run: run.id, share: 0, done: 0 });
  const { sources } = run.progress.details as DocumentDetails;
  if (run.kind !== 'document') {
    const { done, total } = run.progress;
    return { share: total ? (done ?? 0) / total : 0, done: 0, files: 0 };
  }
  const before = highest.current.run === run.id ? highest.current : { share: 0, done: 0 };
  const { files = 0, files_written = 0, lines = 0, lines_written = 0 } = sources ?? {};
  const share = Math.max(before.share, lines === 0 ? 0 : lines_written / lines);
  const done = Math.max(before.done, files_written);
  highest.current = { run: run.id, share, done };
  return { share, done, files };
}

/** Cancels a run after a second press. */
export function CancelRun({ runId }: { runId: string }) {
  const { t } = useTranslation();
  return (
    <ConfirmedAction
      label={t('run.cancel')}
      confirm={t('run.cancelNow')}
      consequence={t('run.cancelText')}
      act={() => change('POST /api/agents/runs/{run_id}/cancel', { run_id: runId }, ['runs'])}
    />
  );
}

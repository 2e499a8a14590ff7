import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { useBookRun, stopBook, type Book } from '../../api/books';
import { useOpenDecisions } from '../../api/decisions';
import { useRefresh } from '../../api/refresh';
import { useRunEvents } from '../../api/run-events';
import { isOver, type Run } from '../../api/runs';
import { ActionButton } from '../../ui/actions';
import { useRunWords } from '../../ui/run-words';
import { RunError, useRunPart, RunLink } from '../../ui/work-name';
import { DecisionCard } from '../decisions/decision-card';
import { bookProgress } from './progress';
import { isByRules, WriterName } from '../../ui/writer-name';
import { Hint } from '../../ui/frames';
import { CancelRun, ProgressLine, RunFrame } from '../runs/run-progress';

/**
 * Shows the state of a book's newest run: stage, revisions, trace, and where rules replaced the model (B6).
 */
export function StatusCard({ book, step }: { book: Book; step: string }) {
  const { runs, run } = useBookRun(book.session_id);
  const whole = runs?.find(({ id }) => id === (run?.parent_run_id ?? run?.id));
  return run ? <RunCard key={run.id} run={run} whole={whole ?? run} bookId={book.id} step={step} /> : null;
}

/** Steps that show the error of a run of a mode. The form for feedback on the outline shows its own errors. */
const STEPS: Record<string, string> = {
  toc: 'outline',
  chapter: 'drafting',
  book: 'drafting',
  export: 'export',
};

interface RunCardProps {
  run: Run;
  /** The run of the whole book that started it, or itself: only the chapters of a book have a total. */
  whole: Run;
  bookId: string;
  /** Step of the book that the page shows. */
  step: string;
}

function RunCard({ run, whole, bookId, step }: RunCardProps) {
  const { t } = useTranslation();
  const partOf = useRunPart();
  useRefresh(run, useRunEvents(run.id).events);
  const open = useOpenDecisions(run.id, run.open_decisions.length > 0);
  const facts = <Facts run={run} />;
  if (run.status === 'completed') return <section aria-label={t('statusCard.title')} children={facts} />;
  const part = <Text size="sm" fw={600} children={partOf(run)} />;
  return (
    <Stack mb="md" gap="sm">
      <RunFrame run={run} facts={part} stop={<StopButtons run={run} bookId={bookId} />}>
        <ProgressLine run={run} whole={whole} />
        {facts}
      </RunFrame>
      {STEPS[run.mode ?? ''] === step && <RunError error={run.error} />}
      {open?.map((decision) => (
        <DecisionCard key={decision.id} decision={decision} />
      ))}
    </Stack>
  );
}

/** Stops the run immediately, or a whole book's run after its chapter. */
function StopButtons({ run, bookId }: { run: Run; bookId: string }) {
  const { t } = useTranslation();
  const [isStopping, setStopping] = useState(false);
  const isWholeBook = run.mode === 'book' || run.parent_run_id !== null;
  return (
    <Group gap="xs">
      {isWholeBook && (
        <ActionButton
          isSmall
          label={t(isStopping ? 'statusCard.stopping' : 'statusCard.stop')}
          disabled={isStopping}
          act={() => stopBook(bookId).then(() => setStopping(true))}
        />
      )}
      <CancelRun runId={run.parent_run_id ?? run.id} />
    </Group>
  );
}

function Facts({ run }: { run: Run }) {
  const { t } = useTranslation();
  const words = useRunWords();
  const { fallback_stages: stages = [], score = null, progress } = bookProgress(run);
  const { revision_count: count = 0 } = progress ?? {};
  const facts = [
    !isOver(run) && count > 0 && t('statusCard.revisions', { count }),
    score !== null && t('statusCard.score', { score }),
    !(isByRules(run) && stages.length > 0) && <WriterName run={run} />,
    stages.length > 0 && t('articles.byRules', { stages: stages.map(words.stage).join(', ') }),
  ];
  return (
    <Group gap="md" my="xs">
      {facts.map((fact, index) => fact && <Hint key={index} size="xs" children={fact} />)}
      <RunLink id={run.id} size="xs" title={t('statusCard.trace')}>
        {t('run.details')}
      </RunLink>
    </Group>
  );
}

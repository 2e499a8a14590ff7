import { Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { useBookRun, stopBook, type Book } from '../../api/books';
import type { Run } from '../../api/runs';
import { ActionButton } from '../../ui/actions';
import { useRunPart } from '../../ui/work-name';
import { CancelRun, RunProgress } from '../runs/run-progress';

/** Steps that show the error of a run of a mode. The form for feedback on the outline shows its own errors. */
const STEPS: Record<string, string> = {
  toc: 'outline',
  chapter: 'drafting',
  book: 'drafting',
  export: 'export',
};

/** Shows the progress of a book's newest run (B6). @param step of the book that the page shows */
export function StatusCard({ book, step }: { book: Book; step: string }) {
  const { runs, run } = useBookRun(book.session_id);
  const partOf = useRunPart();
  if (!run) return null;
  return (
    <RunProgress
      key={run.id}
      run={run}
      whole={runs?.find(({ id }) => id === run.parent_run_id) ?? run}
      part={partOf(run)}
      isElsewhere={STEPS[run.mode ?? ''] !== step}
      stop={<StopButtons run={run} bookId={book.id} />}
    />
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

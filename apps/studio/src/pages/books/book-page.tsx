import { ActionButton, SmallButton } from '../../ui/actions';
import { Group, Tabs } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { bookQuery, renameBook, stopBook, useBookRun, type Book } from '../../api/books';
import type { Run } from '../../api/runs';
import { PageHeader, useReady } from '../../ui/frames';
import { lazyPart } from '../../ui/lazy-part';
import { WorkActions } from '../../ui/work-actions';
import { useRunPart } from '../../ui/work-name';
import { CancelRun, RunProgress } from '../runs/run-progress';
import { ConceptStep } from './concept/concept-step';
import { forgetDraft, removeBook } from './concept/use-concept';

/** Screens of a saved book, after its concept. */
const LATER = {
  outline: lazyPart(() => import('./outline/outline-step')),
  drafting: lazyPart(() => import('./drafting/drafting-step')),
  export: lazyPart(() => import('./export-step')),
};

/** Shows one book on its four screens (B22); the id of an unsaved book is "new". */
export default function BookPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { projectId, step } = useParams({ from: '/shell/books/$projectId/$step' });
  const isNew = projectId === 'new';
  const [book, instead] = useReady({ ...bookQuery(projectId), enabled: !isNew });
  const { run } = useBookRun(book?.session_id);
  if (instead && !isNew) return instead;
  return (
    <>
      <PageHeader title={book?.title ?? t('books.new')}>
        {isNew && (
          <SmallButton
            size="sm"
            label={t('books.discardDraft')}
            onClick={() => {
              forgetDraft(null);
              void navigate({ to: '/work', search: { kind: 'book' } });
            }}
          />
        )}
        {book && (
          <WorkActions
            id={book.session_id}
            name={book.title}
            run={run}
            rename={(title) => renameBook(projectId, title)}
            remove={() => removeBook(projectId)}
            leaveTo="book"
          />
        )}
      </PageHeader>
      {book && <StatusCard book={book} step={step} />}
      <Tabs
        mt="sm"
        value={step}
        keepMounted={false}
        onChange={(next) => next && void navigate({ to: `/books/${projectId}/${next}` })}
      >
        <Tabs.List mb="md">
          {['concept', ...Object.keys(LATER)].map((name) => (
            <Tabs.Tab key={name} value={name} disabled={isNew && name !== 'concept'}>
              {t(`book.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="concept">
          <ConceptStep book={isNew ? null : (book ?? null)} />
        </Tabs.Panel>
        {book &&
          Object.entries(LATER).map(([name, Step]) => (
            <Tabs.Panel key={name} value={name}>
              <Step book={book} />
            </Tabs.Panel>
          ))}
      </Tabs>
    </>
  );
}

/** Steps that show the error of a run of a mode, where they have another name. The form for feedback on the outline shows its own errors. */
const STEPS: Record<string, string> = { toc: 'outline', chapter: 'drafting', book: 'drafting' };

/** Shows the progress of a book's newest run (B6). @param step of the book that the page shows */
function StatusCard({ book, step }: { book: Book; step: string }) {
  const { runs, run } = useBookRun(book.session_id);
  const partOf = useRunPart();
  if (!run) return null;
  return (
    <RunProgress
      key={run.id}
      run={run}
      whole={runs?.find(({ id }) => id === run.parent_run_id) ?? run}
      part={partOf(run)}
      isElsewhere={(STEPS[run.mode ?? ''] ?? run.mode) !== step}
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

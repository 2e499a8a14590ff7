import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { bookQuery, type Book, renameBook, useBookRun } from '../../api/books';
import { retryingImport } from '../../api/retrying-import';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { WorkActions } from '../../ui/work-actions';
import { ConceptStep } from './concept/concept-step';
import { StatusCard } from './status-card';
import { forgetDraft, removeBook } from './concept/use-concept';
import { ready } from '../../ui/ready';

const OutlineStep = lazy(retryingImport(() => import('./outline/outline-step')));
const DraftingStep = lazy(retryingImport(() => import('./drafting/drafting-step')));
const ExportStep = lazy(retryingImport(() => import('./export-step')));

const STEPS = ['concept', 'outline', 'drafting', 'export'] as const;

/** Shows one book on its four screens (B22); the id of an unsaved book is "new". */
export default function BookPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { projectId, step } = useParams({ from: '/shell/books/$projectId/$step' });
  const isNew = projectId === 'new';
  const [book, instead] = ready(useQuery({ ...bookQuery(projectId), enabled: !isNew }));
  const { run } = useBookRun(book?.session_id);
  if (instead && !isNew) return instead;
  return (
    <>
      <PageHeader title={book?.title ?? t('books.new')}>
        {isNew && (
          <Button
            variant="default"
            onClick={() => {
              forgetDraft(null);
              void navigate({ to: '/work', search: { kind: 'book' } });
            }}
          >
            {t('books.discardDraft')}
          </Button>
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
        value={step}
        keepMounted={false}
        onChange={(next) => next && void navigate({ to: `/books/${projectId}/${next}` })}
      >
        <Tabs.List mb="md">
          {STEPS.map((name) => (
            <Tabs.Tab key={name} value={name} disabled={isNew && name !== 'concept'}>
              {t(`book.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="concept">
          <ConceptStep book={isNew ? null : (book ?? null)} />
        </Tabs.Panel>
        {book && <LaterSteps book={book} />}
      </Tabs>
    </>
  );
}

function LaterSteps({ book }: { book: Book }) {
  return (
    <Suspense fallback={<PageLoader />}>
      <Tabs.Panel value="outline">
        <OutlineStep book={book} />
      </Tabs.Panel>
      <Tabs.Panel value="drafting">
        <DraftingStep book={book} />
      </Tabs.Panel>
      <Tabs.Panel value="export">
        <ExportStep book={book} />
      </Tabs.Panel>
    </Suspense>
  );
}

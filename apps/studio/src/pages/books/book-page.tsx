import { SmallButton } from '../../ui/actions';
import { Tabs } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { bookQuery, renameBook, useBookRun } from '../../api/books';
import { PageHeader, useReady } from '../../ui/frames';
import { lazyPart } from '../../ui/lazy-part';
import { WorkActions } from '../../ui/work-actions';
import { ConceptStep } from './concept/concept-step';
import { StatusCard } from './status-card';
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

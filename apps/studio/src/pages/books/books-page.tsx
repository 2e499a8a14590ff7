import { Badge, Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { booksQuery, deleteBook, renameBook, type ListedBook } from '../../api/books';
import { isOver } from '../../api/runs';
import { useMay } from '../../api/session';
import { ListPage } from '../../ui/list-page';
import { RouteAnchor } from '../../ui/route-links';
import { runColumns } from '../../ui/run-columns';
import { WorkActions } from '../../ui/work-actions';

/** Lists the tenant's books, with a button for a new one. */
export function BooksPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { title: searched } = useSearch({ from: '/shell/books' });
  const newBook = (
    <Button component={Link} to="/books/new/concept">
      {t('books.new')}
    </Button>
  );
  return (
    <ListPage
      title={t('books.title')}
      query={useInfiniteQuery({ ...booksQuery(searched), placeholderData: keepPreviousData })}
      minWidth={720}
      empty={{ title: t('books.empty'), text: t('books.emptyText') }}
      action={useMay('write') && newBook}
      search={{
        label: t('list.search'),
        value: searched ?? '',
        onSearch: (text) =>
          void navigate({ to: '/books', search: text === '' ? {} : { title: text }, replace: true }),
      }}
      columns={[
        {
          label: t('books.name'),
          cell: ({ id, title, status }) => (
            <RouteAnchor to="/books/$projectId/$step" params={{ projectId: id, step: STEP_OF[status] }}>
              {title}
            </RouteAnchor>
          ),
        },
        {
          label: t('books.state'),
          cell: ({ status }) => <Badge variant="default">{t(`bookStatus.${status}`)}</Badge>,
        },
        {
          label: t('books.chapters'),
          cell: ({ outline_json }) => outline_json.chapters.length,
          isNumber: true,
        },
        // The last run of a finished book may have failed to write a chapter again; the book is finished all the same.
        ...runColumns<ListedBook>(t, ({ latest_run: run, status }) =>
          run && isOver(run) && FINISHED.has(status) ? { ...run, status: 'completed', error: null } : run,
        ),
        {
          label: t('work.actions'),
          cell: ({ id, title, latest_run: run }) => (
            <WorkActions
              id={id}
              name={title}
              isActive={run !== null && !isOver(run)}
              rename={(typed) => renameBook(id, typed)}
              remove={() => deleteBook(id)}
            />
          ),
          isNumber: true,
        },
      ]}
    />
  );
}

const FINISHED: ReadonlySet<ListedBook['status']> = new Set(['written', 'exported']);

/** Screen on which work on a book continues, by status. */
const STEP_OF = {
  draft: 'concept',
  outlined: 'outline',
  writing: 'drafting',
  written: 'drafting',
  exported: 'export',
} as const;

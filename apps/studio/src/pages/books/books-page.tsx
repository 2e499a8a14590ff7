import { Badge, Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { booksQuery } from '../../api/books';
import { useMay } from '../../api/session';
import { ListPage } from '../../ui/list-page';
import { Moment } from '../../ui/moment';
import { RouteAnchor } from '../../ui/route-links';

/** Lists the tenant's books, with a button for a new one. */
export function BooksPage() {
  const { t } = useTranslation();
  const newBook = (
    <Button component={Link} to="/books/new/concept">
      {t('books.new')}
    </Button>
  );
  return (
    <ListPage
      title={t('books.title')}
      query={useInfiniteQuery(booksQuery)}
      minWidth={480}
      empty={{ title: t('books.empty'), text: t('books.emptyText') }}
      action={useMay('write') && newBook}
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
        { label: t('books.changed'), cell: ({ updated_at }) => <Moment at={updated_at} /> },
      ]}
    />
  );
}

/** Screen on which work on a book continues, by status. */
const STEP_OF = {
  draft: 'concept',
  outlined: 'outline',
  writing: 'drafting',
  written: 'drafting',
  exported: 'export',
} as const;

import { Anchor, Badge, Button, Group, Stack, Table } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { booksQuery, type Book } from '../../api/books';
import { useMay } from '../../api/session';
import { EmptyState } from '../../ui/empty-state';
import { Moment } from '../../ui/moment';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';

/** Every book of the tenant, and the way to a new one. */
export function BooksPage() {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(booksQuery);
  const books = data?.pages.flatMap(({ items }) => items) ?? [];
  const newBook = mayWrite ? (
    <Button component={Link} to="/books/new/concept">
      {t('books.new')}
    </Button>
  ) : null;
  return (
    <>
      <PageHeader title={t('books.title')}>{books.length > 0 && newBook}</PageHeader>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <PageLoader />}
      {data && books.length === 0 && (
        <EmptyState title={t('books.empty')} text={t('books.emptyText')}>
          {newBook}
        </EmptyState>
      )}
      {books.length > 0 && (
        <Stack>
          <BookTable books={books} />
          {hasNextPage && (
            <Group justify="center">
              <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {t('documents.more')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </>
  );
}

function BookTable({ books }: { books: Book[] }) {
  const { t } = useTranslation();
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('books.name')}</Table.Th>
            <Table.Th>{t('books.state')}</Table.Th>
            <Table.Th>{t('books.chapters')}</Table.Th>
            <Table.Th>{t('books.changed')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {books.map((book) => (
            <Table.Tr key={book.id}>
              <Table.Td>
                <Anchor component={Link} to={`/books/${book.id}/${stepOf(book.status)}`}>
                  {book.title}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Badge variant="default">{t(`bookStatus.${book.status}`)}</Badge>
              </Table.Td>
              <Table.Td>{book.outline_json.chapters.length}</Table.Td>
              <Table.Td>
                <Moment at={book.updated_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const STEP_OF = {
  draft: 'concept',
  outlined: 'outline',
  writing: 'drafting',
  written: 'drafting',
  exported: 'export',
} as const;

/** The screen on which one goes on with a book. */
const stepOf = (status: keyof typeof STEP_OF) => STEP_OF[status];

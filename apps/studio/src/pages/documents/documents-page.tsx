import { Anchor, Button, Group, Modal, Stack, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionsQuery } from '../../api/documents';
import { useMay } from '../../api/session';
import { EmptyState } from '../../ui/empty-state';
import { Moment } from '../../ui/moment';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';

const NewDocument = lazy(() => import('./new-document'));

/** Every document of the tenant, newest first, and the way to a new one. */
export function DocumentsPage() {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const [isOpen, { open, close }] = useDisclosure();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(sessionsQuery);
  const sessions = data?.pages.flatMap(({ items }) => items) ?? [];
  const newDocument = mayWrite ? <Button onClick={open}>{t('documents.new')}</Button> : null;
  return (
    <>
      <PageHeader title={t('documents.title')}>{sessions.length > 0 && newDocument}</PageHeader>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <PageLoader />}
      {data && sessions.length === 0 && (
        <EmptyState title={t('documents.empty')} text={t('documents.emptyText')}>
          {newDocument}
        </EmptyState>
      )}
      {sessions.length > 0 && (
        <Stack>
          <Table.ScrollContainer minWidth={320}>
            <Table highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('documents.name')}</Table.Th>
                  <Table.Th>{t('documents.created')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {sessions.map((session) => (
                  <Table.Tr key={session.id}>
                    <Table.Td>
                      <Anchor component={Link} to={`/documents/${session.id}`}>
                        {session.title ?? session.id}
                      </Anchor>
                    </Table.Td>
                    <Table.Td>
                      <Moment at={session.created_at} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          {hasNextPage && (
            <Group justify="center">
              <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {t('documents.more')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
      <Modal opened={isOpen} onClose={close} title={t('documents.new')} size="lg">
        <NewDocumentForm />
      </Modal>
    </>
  );
}

/** Loaded when it is opened. */
function NewDocumentForm() {
  return (
    <Suspense fallback={<PageLoader />}>
      <NewDocument />
    </Suspense>
  );
}

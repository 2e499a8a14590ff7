import { Anchor, Badge, Button, Modal, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { collectionsQuery } from '../../api/knowledge';
import { useMay } from '../../api/session';
import { EmptyState } from '../../ui/empty-state';
import { Moment } from '../../ui/moment';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { NewCollection } from './new-collection';

/** The collections of sources that the tenant's books, articles and plans look things up in. */
export function KnowledgePage() {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const [isOpen, { open, close }] = useDisclosure();
  const { data, error, isPending, refetch } = useQuery(collectionsQuery);
  const newCollection = mayWrite ? <Button onClick={open}>{t('knowledge.new')}</Button> : null;
  const some = data !== undefined && data.items.length > 0;
  return (
    <>
      <PageHeader title={t('knowledge.title')}>{some && newCollection}</PageHeader>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <PageLoader />}
      {data && !some && (
        <EmptyState title={t('knowledge.empty')} text={t('knowledge.emptyText')}>
          {newCollection}
        </EmptyState>
      )}
      {some && (
        <Table.ScrollContainer minWidth={480}>
          <Table highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('knowledge.name')}</Table.Th>
                <Table.Th>{t('knowledge.purpose')}</Table.Th>
                <Table.Th ta="right">{t('knowledge.sources')}</Table.Th>
                <Table.Th ta="right">{t('knowledge.passagesTitle')}</Table.Th>
                <Table.Th>{t('documents.created')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.items.map((collection) => (
                <Table.Tr key={collection.id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/knowledge/${collection.id}`}>
                      {collection.name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>
                    <Badge variant="default">{t(`purpose.${collection.purpose}`)}</Badge>
                  </Table.Td>
                  <Table.Td ta="right">{collection.sources}</Table.Td>
                  <Table.Td ta="right">{collection.chunks}</Table.Td>
                  <Table.Td>
                    <Moment at={collection.created_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Modal opened={isOpen} onClose={close} title={t('knowledge.new')}>
        <NewCollection />
      </Modal>
    </>
  );
}

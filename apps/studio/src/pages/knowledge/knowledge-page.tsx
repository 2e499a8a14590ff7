import { Badge } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { collectionsQuery } from '../../api/knowledge';
import { retryingImport } from '../../api/retrying-import';
import { ListPage } from '../../ui/list-page';
import { Moment } from '../../ui/moment';
import { NewItem } from '../../ui/new-item';
import { RouteAnchor } from '../../ui/route-links';

const NewCollection = lazy(retryingImport(() => import('./new-collection')));

/** Lists the collections of sources that the tenant's books, articles and plans search. */
export function KnowledgePage() {
  const { t } = useTranslation();
  return (
    <ListPage
      title={t('knowledge.title')}
      query={useInfiniteQuery(collectionsQuery)}
      minWidth={480}
      empty={{ title: t('knowledge.empty'), text: t('knowledge.emptyText') }}
      action={
        <NewItem label={t('knowledge.new')}>
          <NewCollection />
        </NewItem>
      }
      columns={[
        {
          label: t('knowledge.name'),
          cell: ({ id, name }) => (
            <RouteAnchor to="/knowledge/$collectionId" params={{ collectionId: id }}>
              {name}
            </RouteAnchor>
          ),
        },
        {
          label: t('knowledge.purpose'),
          cell: ({ purpose }) => <Badge variant="default">{t(`purpose.${purpose}`)}</Badge>,
        },
        { label: t('knowledge.sources'), cell: ({ sources }) => sources, isNumber: true },
        { label: t('knowledge.passagesTitle'), cell: ({ chunks }) => chunks, isNumber: true },
        { label: t('documents.created'), cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
    />
  );
}

import { Badge } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { change } from '../../api/api-query';
import { collectionsQuery, deleteCollection } from '../../api/knowledge';
import { retryingImport } from '../../api/retrying-import';
import { useCollectionName } from '../../ui/collection-name';
import { ListPage } from '../../ui/list-page';
import { Moment } from '../../ui/format';
import { NewItem } from '../../ui/new-item';
import { RouteAnchor } from '../../ui/route-links';
import { WorkActions } from '../../ui/work-actions';

const NewCollection = lazy(retryingImport(() => import('./new-collection')));

/** Lists the collections of sources that the tenant's books, articles and plans search. */
export default function KnowledgePage() {
  const { t } = useTranslation();
  const nameOf = useCollectionName();
  const { title } = useSearch({ from: '/shell/sources' });
  return (
    <ListPage
      title={t('knowledge.title')}
      query={useInfiniteQuery({ ...collectionsQuery(title), placeholderData: keepPreviousData })}
      minWidth={640}
      empty={{ title: t('knowledge.empty'), text: t('knowledge.emptyText') }}
      action={
        <NewItem label={t('knowledge.new')}>
          <NewCollection />
        </NewItem>
      }
      search={t('list.searchName')}
      columns={[
        {
          label: t('knowledge.name'),
          cell: (collection) => (
            <RouteAnchor to="/knowledge/$collectionId" params={{ collectionId: collection.id }}>
              {nameOf(collection)}
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
        {
          label: t('work.actions'),
          // A book's own collection has the name of the book, and is deleted with it.
          cell: ({ id, project, ...collection }) =>
            project === null && (
              <WorkActions
                id={id}
                name={nameOf(collection)}
                rename={(typed) => {
                  const given = { collection_id: id, body: { name: typed } };
                  return change('PATCH /api/knowledge/collections/{collection_id}', given, ['knowledge']);
                }}
                remove={() => deleteCollection(id)}
              />
            ),
          isNumber: true,
        },
      ]}
    />
  );
}

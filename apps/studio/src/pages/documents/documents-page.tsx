import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionsQuery } from '../../api/documents';
import { retryingImport } from '../../api/retrying-import';
import { ListPage } from '../../ui/list-page';
import { Moment } from '../../ui/moment';
import { NewItem } from '../../ui/new-item';
import { RouteAnchor } from '../../ui/route-links';

const NewDocument = lazy(retryingImport(() => import('./new-document')));

/** Lists the tenant's documents, newest first, with a button for a new one. */
export function DocumentsPage() {
  const { t } = useTranslation();
  return (
    <ListPage
      title={t('documents.title')}
      query={useInfiniteQuery(sessionsQuery)}
      minWidth={320}
      empty={{ title: t('documents.empty'), text: t('documents.emptyText') }}
      action={
        <NewItem label={t('documents.new')}>
          <NewDocument />
        </NewItem>
      }
      columns={[
        {
          label: t('documents.name'),
          cell: ({ id, title }) => (
            <RouteAnchor to="/documents/$sessionId" params={{ sessionId: id }}>
              {title ?? t('document.untitled')}
            </RouteAnchor>
          ),
        },
        { label: t('documents.created'), cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
    />
  );
}

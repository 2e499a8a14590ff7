import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { sessionActions, sessionsQuery, type ListedDocument } from '../../api/documents';
import { retryingImport } from '../../api/retrying-import';
import { isOver } from '../../api/runs';
import { ListPage } from '../../ui/list-page';
import { NewItem } from '../../ui/new-item';
import { RouteAnchor } from '../../ui/route-links';
import { runColumns } from '../../ui/run-columns';
import { WorkActions } from '../../ui/work-actions';

const NewDocument = lazy(retryingImport(() => import('./new-document')));

/** Lists the tenant's documents, newest first, with a button for a new one. */
export function DocumentsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { title } = useSearch({ from: '/shell/documents' });
  const nameOf = (document: ListedDocument) =>
    document.title ?? document.latest_run?.title ?? t('document.untitled');
  return (
    <ListPage
      title={t('documents.title')}
      query={useInfiniteQuery({ ...sessionsQuery(title), placeholderData: keepPreviousData })}
      minWidth={640}
      empty={{ title: t('documents.empty'), text: t('documents.emptyText') }}
      action={
        <NewItem label={t('documents.new')}>
          <NewDocument />
        </NewItem>
      }
      search={{
        label: t('list.search'),
        value: title ?? '',
        onSearch: (text) =>
          void navigate({ to: '/documents', search: text === '' ? {} : { title: text }, replace: true }),
      }}
      columns={[
        {
          label: t('documents.name'),
          cell: (document) => (
            <RouteAnchor to="/documents/$sessionId" params={{ sessionId: document.id }}>
              {nameOf(document)}
            </RouteAnchor>
          ),
        },
        ...runColumns<ListedDocument>(t, ({ latest_run: run }) => run),
        {
          label: t('work.actions'),
          cell: (document) => (
            <WorkActions
              id={document.id}
              name={nameOf(document)}
              isActive={document.latest_run !== null && !isOver(document.latest_run)}
              {...sessionActions(document.id)}
            />
          ),
          isNumber: true,
        },
      ]}
    />
  );
}

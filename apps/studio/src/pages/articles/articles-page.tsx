import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { articlesQuery } from '../../api/articles';
import { retryingImport } from '../../api/retrying-import';
import { ListPage } from '../../ui/list-page';
import { NewItem } from '../../ui/new-item';
import { RouteAnchor } from '../../ui/route-links';
import { runColumns } from '../../ui/run-columns';

const NewArticle = lazy(retryingImport(() => import('./new-article')));

/** Lists the tenant's articles, newest first. */
export function ArticlesPage() {
  const { t } = useTranslation();
  return (
    <ListPage
      title={t('articles.title')}
      links={<RouteAnchor to="/style">{t('style.title')}</RouteAnchor>}
      query={useInfiniteQuery(articlesQuery)}
      minWidth={420}
      empty={{ title: t('articles.empty'), text: t('articles.emptyText') }}
      action={
        <NewItem label={t('articles.new')}>
          <NewArticle />
        </NewItem>
      }
      columns={[
        {
          label: t('articles.topic'),
          cell: ({ id, progress }) => (
            <RouteAnchor to="/articles/$runId" params={{ runId: id }}>
              {(progress.details as { topic?: string | null }).topic ?? id}
            </RouteAnchor>
          ),
        },
        { label: t('articles.mode'), cell: ({ mode }) => t(`articleMode.${mode ?? 'author'}`) },
        ...runColumns(t),
      ]}
    />
  );
}

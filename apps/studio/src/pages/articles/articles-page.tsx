import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { articlesQuery } from '../../api/articles';
import { sessionActions } from '../../api/documents';
import { retryingImport } from '../../api/retrying-import';
import { isOver, type Run } from '../../api/runs';
import { ListPage } from '../../ui/list-page';
import { NewItem } from '../../ui/new-item';
import { RouteAnchor } from '../../ui/route-links';
import { runColumns } from '../../ui/run-columns';
import { WorkActions } from '../../ui/work-actions';

const NewArticle = lazy(retryingImport(() => import('./new-article')));

/** Lists the tenant's articles, newest first. */
export function ArticlesPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { title } = useSearch({ from: '/shell/articles' });
  const nameOf = (run: Run) =>
    run.title ?? (run.progress.details as { topic?: string | null }).topic ?? t('document.untitled');
  return (
    <ListPage
      title={t('articles.title')}
      links={<RouteAnchor to="/style">{t('style.title')}</RouteAnchor>}
      query={useInfiniteQuery({ ...articlesQuery(title), placeholderData: keepPreviousData })}
      minWidth={640}
      empty={{ title: t('articles.empty'), text: t('articles.emptyText') }}
      action={
        <NewItem label={t('articles.new')}>
          <NewArticle />
        </NewItem>
      }
      search={{
        label: t('list.search'),
        value: title ?? '',
        onSearch: (text) =>
          void navigate({ to: '/articles', search: text === '' ? {} : { title: text }, replace: true }),
      }}
      columns={[
        {
          label: t('articles.topic'),
          cell: (run) => (
            <RouteAnchor to="/articles/$runId" params={{ runId: run.id }}>
              {nameOf(run)}
            </RouteAnchor>
          ),
        },
        { label: t('articles.mode'), cell: ({ mode }) => t(`articleMode.${mode ?? 'author'}`) },
        ...runColumns<Run>(t, (run) => run),
        {
          label: t('work.actions'),
          cell: (run) => (
            <WorkActions
              id={run.id}
              name={nameOf(run)}
              isActive={!isOver(run)}
              {...sessionActions(run.session_id)}
            />
          ),
          isNumber: true,
        },
      ]}
    />
  );
}

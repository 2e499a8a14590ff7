import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { plansQuery } from '../../api/plans';
import { sessionActions } from '../../api/documents';
import { retryingImport } from '../../api/retrying-import';
import { isOver, type Run } from '../../api/runs';
import { ListPage } from '../../ui/list-page';
import { NewItem } from '../../ui/new-item';
import { RouteAnchor } from '../../ui/route-links';
import { runColumns } from '../../ui/run-columns';
import { WorkActions } from '../../ui/work-actions';

const NewPlan = lazy(retryingImport(() => import('./new-plan')));

/** Lists the tenant's plans, newest first. */
export function PlansPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { title } = useSearch({ from: '/shell/plans' });
  const nameOf = (run: Run) =>
    run.title ?? (run.progress.details as { intent?: string | null }).intent ?? t('document.untitled');
  return (
    <ListPage
      title={t('plans.title')}
      links={<RouteAnchor to="/tools">{t('tools.title')}</RouteAnchor>}
      query={useInfiniteQuery({ ...plansQuery(title), placeholderData: keepPreviousData })}
      minWidth={640}
      empty={{ title: t('plans.empty'), text: t('plans.emptyText') }}
      action={
        <NewItem label={t('plans.new')}>
          <NewPlan />
        </NewItem>
      }
      search={{
        label: t('list.search'),
        value: title ?? '',
        onSearch: (text) =>
          void navigate({ to: '/plans', search: text === '' ? {} : { title: text }, replace: true }),
      }}
      columns={[
        {
          label: t('plans.intent'),
          cell: (run) => (
            <RouteAnchor to="/plans/$runId" params={{ runId: run.id }}>
              {nameOf(run)}
            </RouteAnchor>
          ),
        },
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

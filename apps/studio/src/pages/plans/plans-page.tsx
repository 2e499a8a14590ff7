import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { plansQuery } from '../../api/plans';
import { retryingImport } from '../../api/retrying-import';
import { ListPage } from '../../ui/list-page';
import { NewItem } from '../../ui/new-item';
import { RouteAnchor } from '../../ui/route-links';
import { runColumns } from '../../ui/run-columns';

const NewPlan = lazy(retryingImport(() => import('./new-plan')));

/** Lists the tenant's plans, newest first. */
export function PlansPage() {
  const { t } = useTranslation();
  return (
    <ListPage
      title={t('plans.title')}
      links={<RouteAnchor to="/tools">{t('tools.title')}</RouteAnchor>}
      query={useInfiniteQuery(plansQuery)}
      minWidth={420}
      empty={{ title: t('plans.empty'), text: t('plans.emptyText') }}
      action={
        <NewItem label={t('plans.new')}>
          <NewPlan />
        </NewItem>
      }
      columns={[
        {
          label: t('plans.intent'),
          cell: ({ id, progress }) => (
            <RouteAnchor to="/plans/$runId" params={{ runId: id }}>
              {(progress.details as { intent?: string | null }).intent ?? id}
            </RouteAnchor>
          ),
        },
        ...runColumns(t),
      ]}
    />
  );
}

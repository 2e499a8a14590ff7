import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { runsQuery } from '../../api/runs';
import { ListPage } from '../../ui/list-page';
import { RouteAnchor } from '../../ui/route-links';
import { runColumns } from '../../ui/run-columns';
import { useRunWords } from '../../ui/run-words';

/** Lists runs of every kind, newest first. */
export function RunsPage() {
  const { t } = useTranslation();
  const words = useRunWords();
  return (
    <ListPage
      title={t('runs.title')}
      query={useInfiniteQuery(runsQuery)}
      minWidth={520}
      empty={{ title: t('runs.empty'), text: t('runs.emptyText') }}
      columns={[
        {
          label: t('runs.run'),
          cell: ({ id }) => (
            <RouteAnchor to="/runs/$runId" params={{ runId: id }} ff="monospace" size="sm">
              {id}
            </RouteAnchor>
          ),
        },
        { label: t('runs.kind'), cell: ({ kind }) => words.kind(kind) },
        { label: t('runs.model'), cell: ({ model }) => model },
        ...runColumns(t),
      ]}
    />
  );
}

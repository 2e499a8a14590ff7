import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { openDecisionsQuery } from '../../api/decisions';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { AnsweredElsewhere } from './answered-elsewhere';
import { DecisionCard } from './decision-card';

/** Lists the open questions of all runs. */
export function DecisionsPage() {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(openDecisionsQuery);
  return (
    <>
      <PageHeader title={t('decisions.title')} />
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <PageLoader />}
      {data?.items.length === 0 && (
        <EmptyState title={t('decisions.empty')} text={t('decisions.emptyText')} />
      )}
      <Stack>
        <AnsweredElsewhere open={data?.items} />
        {data?.items.map((decision) => (
          <DecisionCard key={decision.id} decision={decision} />
        ))}
      </Stack>
    </>
  );
}

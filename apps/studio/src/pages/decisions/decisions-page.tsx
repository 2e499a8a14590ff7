import { Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { openDecisionsQuery, type Decision } from '../../api/decisions';
import { Age } from '../../ui/age';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { useRunWords } from '../../ui/run-words';
import { WorkLink } from '../../ui/work-name';
import { AnsweredElsewhere } from './answered-elsewhere';
import { DecisionReview } from './decision-review';

/** Lists the open questions of all runs, each with its work and the form of its own page. */
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
      <Stack gap="xl">
        <AnsweredElsewhere open={data?.items} />
        {data?.items.map((decision) => (
          <Stack key={decision.id} gap="xs">
            <Origin decision={decision} />
            <DecisionReview decision={decision} />
          </Stack>
        ))}
      </Stack>
    </>
  );
}

/** Shows which work asks, its kind, the age of the question, and who should answer. */
function Origin({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const words = useRunWords();
  const kind = words.kind(decision.run_kind);
  const run = { id: decision.run_id, session_id: decision.session_id, kind: decision.run_kind };
  return (
    <Group gap="sm">
      <WorkLink run={run} text={decision.run_title ?? kind} />
      <Badge variant="default">{kind}</Badge>
      <Text size="sm">{words.question(decision.decision_type)}</Text>
      <Text size="sm" c="dimmed">
        <Age at={decision.created_at} />
      </Text>
      {decision.assignee !== null && (
        <Text size="sm" c="dimmed">
          {t('decision.assignee', { who: decision.assignee })}
        </Text>
      )}
    </Group>
  );
}

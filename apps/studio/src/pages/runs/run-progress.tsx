import { Anchor, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { decisionsOfRun } from '../../api/decisions';
import { useRunEvents } from '../../api/run-events';
import { useRefresh } from '../../api/refresh';
import { cancelRun, isOver, type Run } from '../../api/runs';
import { useMay } from '../../api/session';
import { CancelRun } from '../../ui/cancel-run';
import { ConnectionNotice } from '../../ui/connection-notice';
import { ProblemAlert } from '../../ui/problem-alert';
import { RunError } from '../../ui/run-error';
import { RunStatusBadge } from '../../ui/run-status-badge';
import { AnsweredElsewhere } from '../decisions/answered-elsewhere';
import { DecisionCard } from '../decisions/decision-card';

/** Shows a run's progress and questions live, with a button to cancel it. */
export function RunProgress({ run }: { run: Run }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const { events } = useRunEvents(run.id);
  const decisions = useQuery(decisionsOfRun(run.id));
  useRefresh(run, events);
  const cancel = useMutation({ mutationFn: () => cancelRun(run.id) });
  const over = isOver(run);
  const open = decisions.data?.items.filter(({ status }) => status === 'open');
  return (
    <Stack>
      <Paper withBorder p="md">
        <Group justify="space-between">
          <Group gap="sm">
            <RunStatusBadge status={run.status} />
            <Text size="sm">{run.model}</Text>
            <Anchor component={Link} to={`/runs/${run.id}`} size="sm">
              {t('run.details')}
            </Anchor>
          </Group>
          {!over && mayWrite && (
            <CancelRun isCancelling={cancel.isPending} onCancel={() => cancel.mutate()} />
          )}
        </Group>
        <ProgressLine run={run} isOver={over} />
        <ConnectionNotice runId={run.id} />
      </Paper>
      <RunError error={run.error} />
      {cancel.error && <ProblemAlert error={cancel.error} />}
      <AnsweredElsewhere open={open} />
      {open?.map((decision) => (
        <DecisionCard key={decision.id} decision={decision} />
      ))}
    </Stack>
  );
}

function ProgressLine({ run, isOver }: { run: Run; isOver: boolean }) {
  const { t } = useTranslation();
  const { coverage = null, current_chapter: chapter } = run.progress.details as {
    coverage?: number | null;
    current_chapter?: number | null;
  };
  return (
    <Stack gap={4} mt="sm">
      <Progress
        value={run.status === 'completed' ? 100 : (coverage ?? 0) * 100}
        animated={!isOver}
        aria-label={t('run.carried')}
      />
      <Text size="sm" role="status">
        {coverage === null
          ? (run.progress.label ?? t('run.beginning'))
          : t('run.coverage', {
              share: (coverage * 100).toFixed(1),
              chapter: chapter ?? 0,
            })}
      </Text>
    </Stack>
  );
}

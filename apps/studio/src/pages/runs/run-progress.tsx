import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
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
import { WriterName } from '../../ui/writer-name';
import { AnsweredElsewhere } from '../decisions/answered-elsewhere';
import { DecisionCard } from '../decisions/decision-card';
import { ProgressLine } from './progress-line';
import { TryAgain } from './try-again';

interface RunProgressProps {
  run: Run;
  /** Whether this is the run's own page, where a link to the run would be useless. */
  isOwnPage?: boolean;
}

/** Shows a run's progress and questions live, with a button to cancel it. */
export function RunProgress({ run, isOwnPage = false }: RunProgressProps) {
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
            <Text size="sm">
              <WriterName run={run} />
            </Text>
            {!isOwnPage && (
              <Anchor component={Link} to={`/runs/${run.id}`} size="sm">
                {t('run.details')}
              </Anchor>
            )}
          </Group>
          {!over && mayWrite && (
            <CancelRun isCancelling={cancel.isPending} onCancel={() => cancel.mutate()} />
          )}
        </Group>
        <ProgressLine run={run} />
        <ConnectionNotice runId={run.id} />
      </Paper>
      <RunError error={run.error} />
      {over && run.status !== 'completed' && <TryAgain run={run} />}
      {cancel.error && <ProblemAlert error={cancel.error} />}
      <AnsweredElsewhere open={open} />
      {open?.map((decision) => (
        <DecisionCard key={decision.id} decision={decision} />
      ))}
    </Stack>
  );
}

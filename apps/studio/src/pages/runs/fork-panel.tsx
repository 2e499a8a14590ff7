import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { ApiProblem, type Schemas } from '../../api/client';
import { documentQuery } from '../../api/documents';
import { diffWith, promote } from '../../api/history';
import { isOver, type Run } from '../../api/runs';
import { useMay } from '../../api/session';
import { ConfirmButton } from '../../ui/confirm-button';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { RouteAnchor } from '../../ui/route-links';

interface ForkPanelProps {
  run: Run;
  /** Session from which the run's session was copied. */
  origin: string;
}

/** Shows the differences of a fork from its original, and promotes it (X5). */
export function ForkPanel({ run, origin }: ForkPanelProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayWrite = useMay('write');
  const isRunning = !isOver(run);
  const { data: original } = useQuery(documentQuery(origin));
  const { data, error, isPending } = useQuery({
    ...diffWith(origin, run.session_id, isRunning),
    placeholderData: keepPreviousData,
  });
  const promoting = useMutation({
    mutationFn: () => promote(origin, run.session_id),
    onSuccess: ({ id }) => navigate({ to: '/runs/$runId', params: { runId: id } }),
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={t('fork.title')}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t('fork.title')}
          </Title>
          {mayWrite && (
            <ConfirmButton
              label={t('fork.promote')}
              confirm={t('fork.promoteNow')}
              consequence={t('fork.promoteText')}
              loading={promoting.isPending}
              disabled={isRunning}
              onConfirm={() => promoting.mutate()}
            />
          )}
        </Group>
        <Text size="sm">
          {t('fork.of')}{' '}
          <RouteAnchor to="/documents/$sessionId" params={{ sessionId: origin }} size="sm" underline="always">
            {original?.title ?? run.title ?? t('document.untitled')}
          </RouteAnchor>
        </Text>
        {promoting.error && <ProblemAlert error={promoting.error} />}
        {isRunning && (
          <Text size="sm" role="status">
            {t('fork.running')}
          </Text>
        )}
        {error && !(isRunning && isNothingWritten(error)) && <ProblemAlert error={error} />}
        {isPending && <PageLoader />}
        {data && <Diff diff={data} />}
      </Stack>
    </Paper>
  );
}

/** Returns whether the manuscript of the fork is still missing. */
const isNothingWritten = (error: unknown) =>
  error instanceof ApiProblem && error.problem.code === 'no_manuscript';

const KINDS: Record<string, string> = { '+': 'added', '-': 'removed' };

function Diff({ diff }: { diff: Schemas['ManuscriptDiff'] }) {
  const { t } = useTranslation();
  if (diff.hunks.length === 0) return <Text c="dimmed">{t('fork.same')}</Text>;
  return (
    <>
      <Text size="sm">{t('fork.counts', { added: diff.added, removed: diff.removed })}</Text>
      <div className="verbatim scroll-frame" tabIndex={0} role="region" aria-label={t('fork.diff')}>
        {diff.hunks.map((hunk) => (
          <div key={`${hunk.old_start}/${hunk.new_start}`}>
            <div className="diff-line line-number">
              @@ {hunk.old_start} → {hunk.new_start}
            </div>
            {hunk.lines.map((line, index) => (
              <div key={index} className="diff-line" data-kind={KINDS[line[0] ?? '']}>
                {line}
              </div>
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { decisionsOfRun } from '../../api/decisions';
import { sessionActions } from '../../api/documents';
import { isBlockingError } from '../../api/query-client';
import { useRefresh } from '../../api/refresh';
import { useRunEvents, type RunEvent } from '../../api/run-events';
import { cancelRun, isOver, runQuery, type Run } from '../../api/runs';
import { useMay } from '../../api/session';
import { CancelRun } from '../../ui/cancel-run';
import { ConnectionNotice } from '../../ui/connection-notice';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { RouteAnchor } from '../../ui/route-links';
import { useRunWords } from '../../ui/run-words';
import { usePhrases } from '../../ui/use-phrases';
import { RunError } from '../../ui/run-error';
import { RunStatusBadge } from '../../ui/run-status-badge';
import { WorkActions } from '../../ui/work-actions';
import { AnsweredElsewhere } from '../decisions/answered-elsewhere';
import { DecisionReview } from '../decisions/decision-review';
import { TryAgain } from '../runs/try-again';
import { ArticleText } from './article-text';
import { ArticleFiles, ExportArticle } from './export-article';
import { Repurpose } from './repurpose';

/** Shows an article as a conversation: progress, streamed text and open questions. A reload resumes (A8). */
export function ArticlePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { runId } = useParams({ from: '/shell/articles/$runId' });
  const { data: run, error, refetch } = useQuery(runQuery(runId));
  const { events } = useRunEvents(runId);
  const decisions = useQuery(decisionsOfRun(runId));
  const mayWrite = useMay('write');
  if (isBlockingError(error, run)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!run) return <PageLoader />;
  const { topic, approved } = run.progress.details as { topic?: string | null; approved?: boolean };
  const name = run.title ?? topic ?? t('articles.article');
  const open = decisions.data?.items.filter(({ status }) => status === 'open') ?? [];
  return (
    <>
      <PageHeader title={name}>
        <WorkActions
          id={runId}
          name={name}
          isActive={!isOver(run)}
          {...sessionActions(run.session_id)}
          onDeleted={() => void navigate({ to: '/articles' })}
        />
        <RouteAnchor to="/runs/$runId" params={{ runId }}>
          {t('plans.run')}
        </RouteAnchor>
      </PageHeader>
      <Stack gap="lg">
        <State run={run} events={events} />
        <RunError error={run.error} />
        {isOver(run) && run.status !== 'completed' && <TryAgain run={run} />}
        <AnsweredElsewhere open={decisions.data && open} />
        {open.map((decision) => (
          <DecisionReview key={decision.id} decision={decision} />
        ))}
        {open.length === 0 && !isOver(run) && <Stream events={events} />}
        <ArticleText
          run={run}
          isUnderReview={open.some(({ decision_type: type }) => type === 'article_draft')}
        />
        <ArticleFiles run={run} />
        {mayWrite && isOver(run) && approved && <ExportArticle run={run} />}
        {mayWrite && isOver(run) && approved && <Repurpose run={run} />}
      </Stack>
    </>
  );
}

interface StateProps {
  run: Run;
  events: readonly RunEvent[];
}

function State({ run, events }: StateProps) {
  const { t } = useTranslation();
  const words = useRunWords();
  const render = usePhrases();
  useRefresh(run, events);
  const mayWrite = useMay('write');
  const cancelling = useMutation({ mutationFn: () => cancelRun(run.id) });
  const nodes = events.flatMap(({ type, data, seq }) =>
    type === 'node_complete' ? [{ seq, node: String(data['node']) }] : [],
  );
  return (
    <Paper withBorder p="md" component="section" aria-label={t('statusCard.title')}>
      <Group justify="space-between">
        <Group gap="sm">
          <RunStatusBadge status={run.status} />
          <Text size="sm" role="status">
            {isOver(run)
              ? ''
              : words.phase(run.progress.phase ?? '') ||
                render(run.progress.phrase, run.progress.label ?? t('run.beginning'))}
          </Text>
          <ConnectionNotice runId={run.id} />
        </Group>
        {!isOver(run) && mayWrite && (
          <CancelRun isCancelling={cancelling.isPending} onCancel={() => cancelling.mutate()} />
        )}
      </Group>
      <Group gap={4} mt="sm" role="list" aria-label={t('articles.done')}>
        {nodes.map(({ seq, node }) => (
          <Badge key={seq} variant="default" size="sm" role="listitem">
            {words.node(node)}
          </Badge>
        ))}
      </Group>
      <FallbackStages stages={(run.progress.details as { fallback_stages?: string[] }).fallback_stages} />
    </Paper>
  );
}

/** Names the parts that rules wrote, not a model. */
function FallbackStages({ stages = [] }: { stages?: readonly string[] | undefined }) {
  const { t } = useTranslation();
  const words = useRunWords();
  if (stages.length === 0) return null;
  return (
    <Text size="sm" mt="sm">
      {t('articles.byRules', { stages: stages.map((stage) => words.stage(stage)).join(', ') })}
    </Text>
  );
}

/** Shows the model's output of the current step as it streams. */
function Stream({ events }: { events: readonly RunEvent[] }) {
  const { t } = useTranslation();
  const since = events.findLastIndex(({ type }) => type === 'node_complete');
  const text = events
    .slice(since + 1)
    .filter(({ type }) => type === 'token')
    .map(({ data }) => String(data['text'] ?? data['token'] ?? ''))
    .join('');
  if (text === '') return null;
  return (
    <Paper withBorder p="md" aria-label={t('articles.stream')} component="section">
      <div className="verbatim">{text}</div>
    </Paper>
  );
}

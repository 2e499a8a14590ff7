import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { decisionsOfRun } from '../../api/decisions';
import { sessionActions } from '../../api/documents';
import { planQuery, type Plan } from '../../api/plans';
import { isBlockingError } from '../../api/query-client';
import { usePlanRefresh } from '../../api/refresh';
import { useRunEvents, type RunEvent } from '../../api/run-events';
import { isOver, runQuery } from '../../api/runs';
import { retryingImport } from '../../api/retrying-import';
import { ConnectionNotice } from '../../ui/connection-notice';
import { Moment } from '../../ui/moment';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { RouteAnchor } from '../../ui/route-links';
import { RunError } from '../../ui/run-error';
import { WorkActions } from '../../ui/work-actions';
import { DecisionCard } from '../decisions/decision-card';
import { TryAgain } from '../runs/try-again';
import { ApprovalCard } from './approval-card';
import { Commands } from './commands';
import { Files } from './files';
import { PlanningNote } from './planning-note';
import { Results } from './results';
import './plans.css';

const PlanGraph = lazy(retryingImport(() => import('./plan-graph')));

/** Shows a plan as a graph with the state of each plan step, its questions, results and decisions. */
export function PlanPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { runId } = useParams({ from: '/shell/plans/$runId' });
  const { data: plan, error, refetch } = useQuery(planQuery(runId));
  const { data: run } = useQuery(runQuery(runId));
  const { events } = useRunEvents(runId);
  usePlanRefresh(runId, events);
  // Questions of any run, such as about a failed model; the plan itself contains its own.
  const decisions = useQuery({ ...decisionsOfRun(runId), enabled: plan?.status === 'needs_answer' });
  if (isBlockingError(error, plan)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!plan) return <PageLoader />;
  const name = run?.title ?? plan.intent ?? t('plans.plan');
  return (
    <>
      <PageHeader title={name}>
        {run && (
          <WorkActions
            id={runId}
            name={name}
            isActive={!isOver(run)}
            {...sessionActions(run.session_id)}
            onDeleted={() => void navigate({ to: '/plans' })}
          />
        )}
        <RouteAnchor to="/runs/$runId" params={{ runId }}>
          {t('plans.run')}
        </RouteAnchor>
      </PageHeader>
      <Stack gap="lg">
        {plan.intent !== null && plan.intent !== name && <Text>{plan.intent}</Text>}
        <Group>
          <Badge
            variant={isAsking(plan.status) ? 'filled' : 'default'}
            color={isAsking(plan.status) ? 'yellow' : undefined}
          >
            {t(`planStatus.${plan.status}`)}
          </Badge>
          {plan.confidence !== null && (
            <Text size="sm">{t('plans.confidence', { share: Math.round(plan.confidence * 100) })}</Text>
          )}
          {plan.replans > 0 && <Text size="sm">{t('plans.replans', { count: plan.replans })}</Text>}
          <ConnectionNotice runId={runId} />
        </Group>
        <RunError error={plan.error} />
        {run && isOver(run) && run.status !== 'completed' && <TryAgain run={run} />}
        {plan.planning && <PlanningNote planning={plan.planning} />}
        {plan.approval_required && (
          <ApprovalCard
            key={plan.approval_required.checkpoint_id}
            runId={runId}
            approval={plan.approval_required}
          />
        )}
        {plan.status === 'needs_answer' &&
          decisions.data?.items
            .filter(({ status }) => status === 'open')
            .map((decision) => <DecisionCard key={decision.id} decision={decision} />)}
        {plan.tasks.length > 0 && (
          <Suspense fallback={<PageLoader />}>
            <PlanGraph plan={plan} planned={plannedFirst(events)} running={runningTasks(plan, events)} />
          </Suspense>
        )}
        {plan.finished_at === null && <Commands runId={runId} />}
        <Files plan={plan} />
        <Results runId={runId} results={plan.results} />
        <Decisions decisions={plan.decisions} />
      </Stack>
    </>
  );
}

/** Returns whether a plan waits for the user. */
const isAsking = (status: Plan['status']): boolean =>
  status === 'needs_answer' || status === 'approval_required';

/** Returns the ids of the original plan steps; null until they are known. */
function plannedFirst(events: readonly RunEvent[]): ReadonlySet<string> | null {
  const made = events.find(({ type }) => type === 'plan_created');
  const tasks = made?.data['tasks'];
  return Array.isArray(tasks) ? new Set((tasks as { id: string }[]).map(({ id }) => id)) : null;
}

/** Returns the plan steps of the running layer. */
function runningTasks(plan: Plan, events: readonly RunEvent[]): ReadonlySet<string> {
  const done = new Set(plan.results.map(({ task_id: id }) => id));
  const layer = plan.layers.find((ids) => ids.some((id) => !done.has(id)));
  const isAtWork = plan.status === 'running' && events.some(({ type }) => type === 'layer_started');
  return new Set(isAtWork ? layer?.filter((id) => !done.has(id)) : []);
}

function Decisions({ decisions }: { decisions: Plan['decisions'] }) {
  const { t } = useTranslation();
  if (decisions.length === 0) return null;
  return (
    <section aria-label={t('plans.decisions')}>
      <Title order={2} size="h4" mb="xs">
        {t('plans.decisions')}
      </Title>
      <ul className="plain-list">
        {decisions.map(({ at, type, action, by, reason }) => (
          <li key={`${at}/${type}/${action}`}>
            <Text size="sm">
              <Moment at={at} />: {t(`planAction.${action}`)} {by !== 'client' && `(${t(`planBy.${by}`)})`}
              {reason && ` – ${reason}`}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}

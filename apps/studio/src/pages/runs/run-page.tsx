import { Alert, Group, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { documentQuery } from '../../api/documents';
import { historyOf, modelCallsOf } from '../../api/history';
import { isBlockingError } from '../../api/query-client';
import { useRunEvents } from '../../api/run-events';
import { isOver, runQuery, type Run } from '../../api/runs';
import { formatCost, formatNumber } from '../../ui/format';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { RouteAnchor } from '../../ui/route-links';
import { useTab } from '../../ui/use-tab';
import { bookOf, useRunName, WorkLink } from '../../ui/work-name';
import { isByRules } from '../../ui/writer-name';
import { ChildRuns } from './child-runs';
import { EventList } from './event-list';
import { ForkPanel } from './fork-panel';
import { RunProgress } from './run-progress';
import { StepPanel } from './step-panel';
import { stepsOf } from './steps';
import { Timeline } from './timeline';
import './runs.css';

/** Shows one run: status, questions, steps with their cost, and all events. */
export function RunPage() {
  const { t } = useTranslation();
  const { runId } = useParams({ from: '/shell/runs/$runId' });
  const { data: run, error, refetch } = useQuery(runQuery(runId));
  const { data: session } = useQuery({ ...documentQuery(run?.session_id ?? ''), enabled: run !== undefined });
  const { events } = useRunEvents(runId);
  const nameOf = useRunName();
  const [tab, setTab] = useTab('steps');
  if (isBlockingError(error, run)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!run) return <PageLoader />;
  return (
    <>
      <PageHeader title={nameOf(run)}>
        {(['document', 'article', 'plan'].includes(run.kind) || bookOf(run)) && (
          <WorkLink run={run} text={t(`open.${run.kind}`)} />
        )}
      </PageHeader>
      <Stack gap="lg">
        <Origin run={run} />
        <RunProgress run={run} isOwnPage />
        <Spent run={run} />
        {session?.forked_from && <ForkPanel run={run} origin={session.forked_from} />}
        <ChildRuns events={events} />
        <Tabs value={tab} onChange={setTab} keepMounted={false}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="steps">{t('run.steps')}</Tabs.Tab>
            <Tabs.Tab value="events">{t('run.eventsTab')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="steps">
            <Steps run={run} />
          </Tabs.Panel>
          <Tabs.Panel value="events">
            <EventList runId={runId} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </>
  );
}

/** Shows the origin of the run: a checkpoint of another run, or its parent run. */
function Origin({ run: { origin, parent_run_id: parent } }: { run: Run }) {
  const { t } = useTranslation();
  const nameOf = useRunName();
  const from = origin?.run_id ?? parent;
  const { data: before } = useQuery({ ...runQuery(from ?? ''), enabled: from !== null });
  if (!from) return null;
  return (
    <Alert color="gray">
      {t(origin ? 'run.restoredFrom' : 'run.childOf')}{' '}
      <RouteAnchor to="/runs/$runId" params={{ runId: from }} size="sm" underline="always">
        {before ? nameOf(before) : t('run.earlier')}
      </RouteAnchor>
    </Alert>
  );
}

/** Shows the model usage of the run; nothing if rules wrote. */
function Spent({ run }: { run: Run }) {
  const { t } = useTranslation();
  const { usage } = run;
  const { max_tokens: tokens, max_cost: cost } = usage.budget;
  const isFree = usage.input_tokens + usage.output_tokens + usage.cost === 0;
  if (isFree && (isByRules(run) || run.model === null)) return null;
  return (
    <Group gap="lg">
      <Text size="sm">{t('run.calls', { count: usage.model_calls })}</Text>
      <Text size="sm">
        {t('run.tokens', { tokens: formatNumber(usage.input_tokens + usage.output_tokens) })}
        {tokens !== undefined && ` / ${formatNumber(tokens)}`}
      </Text>
      <Text size="sm">
        {t('run.cost', { cost: formatCost(usage.cost) })}
        {cost !== undefined && ` / ${formatCost(cost)}`}
      </Text>
    </Group>
  );
}

function Steps({ run }: { run: Run }) {
  const navigate = useNavigate();
  const { step: asked } = useSearch({ from: '/shell/runs/$runId' });
  const { events } = useRunEvents(run.id);
  const over = isOver(run);
  // While a run is active, each step adds data.
  const refetchInterval = over ? (false as const) : 5_000;
  const calls = useQuery({ ...modelCallsOf(run.id), refetchInterval }).data;
  const history = useQuery({ ...historyOf(run.id), refetchInterval }).data?.items;
  const steps = useMemo(() => stepsOf(events, calls ?? [], history ?? []), [events, calls, history]);
  const selected = steps.find(({ seq }) => seq === asked) ?? null;
  const select = (seq: number) =>
    void navigate({ to: '/runs/$runId', params: { runId: run.id }, search: { step: seq }, replace: true });
  return (
    <Stack>
      <Timeline steps={steps} selected={selected?.seq ?? null} onSelect={select} />
      {selected && <StepPanel run={run} step={selected} events={events} />}
    </Stack>
  );
}

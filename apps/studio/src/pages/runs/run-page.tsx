import './runs.css';
import { Text, Alert, Group, Stack, Title, MultiSelect } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import { formatNumber, formatCost, formatClock, Moment } from '../../ui/format';
import { RunStatusBadge, bookOf, useRunName, WorkLink, RunLink } from '../../ui/work-name';
import { VirtualListbox } from '../../ui/virtual-listbox';
import { stepsOf } from './steps';
import { useQuery, keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState, memo } from 'react';
import { documentQuery } from '../../api/documents';
import { change, ApiProblem, type Schemas } from '../../api/api-query';
import { historyOf, modelCallsOf, diffWith, isOver, runQuery, type Run } from '../../api/runs';
import { useRunEvents, type RunEvent } from '../../api/run-events';
import { PageHeader, Card, Section, Heading, PageLoader, ProblemAlert, useReady } from '../../ui/frames';
import { RouteAnchor } from '../../ui/route-links';
import { PageTabs, useTab } from '../../ui/page-tabs';
import { isByRules } from '../../ui/writer-name';
import { RunProgress } from './run-progress';
import { StepPanel } from './step-panel';
import { EventDetails, eventTypeName, useEventText } from './event-details';
import { useMay } from '../../api/session';
import { ConfirmedAction } from '../../ui/actions';
import { Timeline } from './timeline';

/** Shows one run: status, questions, steps with their cost, and all events. */
export default function RunPage() {
  const { t } = useTranslation();
  const { runId } = useParams({ from: '/shell/runs/$runId' });
  const [run, instead] = useReady(runQuery(runId));
  const { data: session } = useQuery({ ...documentQuery(run?.session_id ?? ''), enabled: run !== undefined });
  const { events } = useRunEvents(runId);
  const nameOf = useRunName();
  if (instead) return instead;
  return (
    <>
      <PageHeader title={nameOf(run)}>
        {(['document', 'review', 'article', 'plan'].includes(run.kind) || bookOf(run)) && (
          <WorkLink run={run} text={t(`open.${run.kind}`)} />
        )}
      </PageHeader>
      <Stack gap="lg">
        <Origin run={run} />
        <RunProgress run={run} isOwnPage />
        <Spent run={run} />
        {session?.forked_from && <ForkPanel run={run} origin={session.forked_from} />}
        <ChildRuns events={events} />
        <PageTabs
          tabs={[
            { name: 'steps', label: t('run.steps'), content: <Steps run={run} /> },
            { name: 'events', label: t('run.eventsTab'), content: <EventList runId={runId} /> },
          ]}
        />
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
      <RunLink id={from} underline="always">
        {before ? nameOf(before) : t('run.earlier')}
      </RunLink>
    </Alert>
  );
}

/** Shows the model usage of the run; nothing if rules wrote. */
function Spent({ run }: { run: Run }) {
  const { t } = useTranslation();
  const { usage } = run;
  const { max_tokens: tokens = usage.default_max_tokens ?? undefined, max_cost: cost } = usage.budget;
  const isFree = usage.input_tokens + usage.output_tokens + usage.cost === 0;
  if (isFree && (isByRules(run) || run.model === null)) return null;
  const of = (part: number | undefined, format: (value: number) => string) =>
    part === undefined ? '' : ` / ${format(part)}`;
  const used = formatNumber(usage.input_tokens + usage.output_tokens);
  const facts = [
    t('run.calls', { count: usage.model_calls }),
    t('run.tokens', { tokens: used }) + of(tokens, formatNumber),
    t('run.cost', { cost: formatCost(usage.cost) }) + of(cost, formatCost),
  ];
  return <Text size="sm">{facts.join(' · ')}</Text>;
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

/** Lists the child runs of this run. */
function ChildRuns({ events }: { events: readonly RunEvent[] }) {
  const { t } = useTranslation();
  const reported = events.flatMap(({ type, data }) =>
    type === 'child_run' ? [data['run_id'] as string] : [],
  );
  if (reported.length === 0) return null;
  return (
    <Section title={t('run.children')}>
      <ul className="plain-list">
        {[...new Set(reported)].map((id) => (
          <ChildRun key={id} runId={id} />
        ))}
      </ul>
    </Section>
  );
}

function ChildRun({ runId }: { runId: string }) {
  const nameOf = useRunName();
  const { data: run } = useQuery(runQuery(runId));
  return (
    run && (
      <Group gap="sm" component="li">
        <RunLink id={runId}>{nameOf(run)}</RunLink>
        <RunStatusBadge status={run.status} />
      </Group>
    )
  );
}

/** Lists all events of a run as sentences with a filter by type, and shows the data of the chosen one. */
function EventList({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const { events } = useRunEvents(runId);
  const [chosenTypes, setTypes] = useTab('', 'events');
  const types = useMemo(() => chosenTypes.split(',').filter(Boolean), [chosenTypes]);
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = useMemo(
    () => events.filter(({ type }) => (types.length === 0 ? type !== 'token' : types.includes(type))),
    [events, types],
  );
  const textOf = useEventText(events);
  const known = useMemo(
    () =>
      [...new Set(events.map(({ type }) => type))]
        .map((type) => ({ value: type, label: eventTypeName(type, t) }))
        .sort((one, other) => one.label.localeCompare(other.label)),
    [events, t],
  );
  const at = useMemo(() => shown.findIndex(({ seq }) => seq === chosen), [shown, chosen]);
  const event = shown[at];
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Heading>{t('run.events', { count: shown.length })}</Heading>
        <MultiSelect
          data={known}
          value={types}
          onChange={(chosen) => setTypes(chosen.join(','))}
          placeholder={types.length === 0 ? t('run.filter') : undefined}
          aria-label={t('run.filter')}
          clearable
        />
      </Group>
      {shown.length === 0 && <Text c="dimmed">{t('run.noEvents')}</Text>}
      {shown.length > 0 && (
        <VirtualListbox
          label={t('run.eventLog')}
          count={shown.length}
          rowHeight={28}
          chosen={at}
          onChoose={(row) => setChosen(shown[row]!.seq)}
          row={(index) => ({
            id: `event-${shown[index]!.seq}`,
            className: 'event-row',
            children: <Row event={shown[index]!} text={textOf(shown[index]!)} />,
          })}
        />
      )}
      {event && (
        <section aria-label={t('run.eventOf', { seq: event.seq })}>
          <Title order={3} size="h5">
            {eventTypeName(event.type, t)} · <Moment at={event.at} />
          </Title>
          <EventDetails event={event} text={textOf(event)} />
        </section>
      )}
    </Stack>
  );
}

const Row = memo(function Row({ event, text }: { event: RunEvent; text: string }) {
  return (
    <>
      <span className="line-number">{event.seq}</span>
      <span className="event-at">{formatClock(event.at)}</span>
      <span>{text}</span>
    </>
  );
});

interface ForkPanelProps {
  run: Run;
  /** Session from which the run's session was copied. */
  origin: string;
}

/** Shows the differences of a fork from its original, and promotes it (X5). */
function ForkPanel({ run, origin }: ForkPanelProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayWrite = useMay('write');
  const isRunning = !isOver(run);
  const { data: original } = useQuery(documentQuery(origin));
  const { data, error, isPending } = useQuery({
    ...diffWith(origin, run.session_id, isRunning),
    placeholderData: keepPreviousData,
  });
  const promoteFork = async () => {
    const given = { session_id: origin, body: { fork_session_id: run.session_id } };
    // The whole session changes.
    const { id } = await change('POST /api/sessions/{session_id}/promote', given, []);
    await navigate({ to: '/runs/$runId', params: { runId: id } });
  };
  return (
    <Card
      title={t('fork.title')}
      actions={
        mayWrite && (
          <ConfirmedAction
            label={t('fork.promote')}
            confirm={t('fork.promoteNow')}
            consequence={t('fork.promoteText')}
            disabled={isRunning}
            act={promoteFork}
          />
        )
      }
    >
      <Text size="sm">
        {t('fork.of')}{' '}
        <RouteAnchor to="/documents/$sessionId" params={{ sessionId: origin }} size="sm" underline="always">
          {original?.title ?? run.title ?? t('list.untitled')}
        </RouteAnchor>
      </Text>
      {isRunning && (
        <Text size="sm" role="status">
          {t('fork.running')}
        </Text>
      )}
      {error && !(isRunning && isNothingWritten(error)) && <ProblemAlert error={error} />}
      {isPending && <PageLoader />}
      {data && <Diff diff={data} />}
    </Card>
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

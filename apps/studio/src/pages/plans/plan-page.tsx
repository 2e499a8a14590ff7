import './plans.css';
import { Button, Group, TextInput, Badge, Stack, Text, Paper, Anchor, Alert, Code } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState, lazy, Suspense } from 'react';
import { runPlanAgain, savePlan, type Plan, planQuery, sendCommand } from '../../api/plans';
import { useMay } from '../../api/session';
import { useTranslation } from '../../i18n/i18n';
import { ProblemAlert } from '../../ui/problem-alert';
import { Form, textProps } from '../../ui/form';
import { ActionButton } from '../../ui/action-button';
import { useOpenDecisions } from '../../api/decisions';
import { sessionActions } from '../../api/documents';
import { usePlanRefresh } from '../../api/refresh';
import { useRunEvents, type RunEvent } from '../../api/run-events';
import { isOver, runQuery } from '../../api/runs';
import { retryingImport } from '../../api/retrying-import';
import { ConnectionNotice } from '../../ui/connection-notice';
import { Moment } from '../../ui/moment';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { RunError } from '../../ui/run-error';
import { WorkActions } from '../../ui/work-actions';
import { DecisionCard } from '../decisions/decision-card';
import { TryAgain } from '../runs/try-again';
import { ApprovalCard } from './approval-card';
import { Notes, PlanningNote } from './planning-note';
import type { Schemas } from '../../api/client';
import { ConfirmButton } from '../../ui/confirm-button';
import { usePhrases } from '../../ui/use-phrases';
import { Section, Hint } from '../../ui/card';
import { ListTable } from '../../ui/list-table';
import { ready } from '../../ui/ready';
import { RunLink } from '../../ui/work-name';

const PlanGraph = lazy(retryingImport(() => import('./plan-graph')));

/** Shows a plan as a graph with the state of each plan step, its questions, results and decisions. */
export default function PlanPage() {
  const { t } = useTranslation();
  const render = usePhrases();
  const { runId } = useParams({ from: '/shell/plans/$runId' });
  const [plan, instead] = ready(useQuery(planQuery(runId)));
  const { data: run } = useQuery(runQuery(runId));
  const { events } = useRunEvents(runId);
  usePlanRefresh(runId, events);
  // Questions of any run, such as about a failed model; the plan itself contains its own.
  const open = useOpenDecisions(runId, plan?.status === 'needs_answer');
  if (instead) return instead;
  const name = run?.title ?? plan.intent ?? t('plans.plan');
  return (
    <>
      <PageHeader title={name}>
        {run && (
          <WorkActions
            id={run.session_id}
            name={name}
            run={run}
            {...sessionActions(run.session_id)}
            leaveTo="plan"
          />
        )}
        <RunLink id={runId} size="md">
          {t('plans.run')}
        </RunLink>
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
        {plan.warnings.length > 0 && (
          <Notes
            title={t('plans.warnings')}
            notes={plan.warnings.map(({ phrase, message }) => render(phrase, message))}
            colour="yellow"
          />
        )}
        {plan.approval_required && (
          <ApprovalCard
            key={plan.approval_required.checkpoint_id}
            runId={runId}
            approval={plan.approval_required}
          />
        )}
        {plan.status === 'needs_answer' &&
          open?.map((decision) => <DecisionCard key={decision.id} decision={decision} />)}
        {plan.tasks.length > 0 && (
          <Suspense fallback={<PageLoader />}>
            <PlanGraph plan={plan} planned={plannedFirst(events)} running={runningTasks(plan, events)} />
          </Suspense>
        )}
        {plan.finished_at === null && <Commands runId={runId} />}
        <Files plan={plan} />
        {plan.status === 'completed' && <PlanAgain key={plan.id} plan={plan} name={name} />}
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
    <Section title={t('plans.decisions')}>
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
    </Section>
  );
}

/** Re-plans a running plan, or ends it (P4). */
function Commands({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const [requirement, setRequirement] = useState('');
  const sending = useMutation({
    mutationFn: (command: Schemas['PlanCommand']) => sendCommand(runId, command),
    onSuccess: () => setRequirement(''),
  });
  if (!useMay('write')) return null;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Form onSubmit={() => sending.mutate({ type: 'replan_dag', new_requirement: requirement.trim() })}>
          <Group align="flex-end">
            <TextInput
              flex={1}
              miw={200}
              label={t('plans.requirement')}
              maxLength={4_000}
              {...textProps(requirement, setRequirement)}
            />
            <Button
              type="submit"
              variant="default"
              disabled={requirement.trim() === ''}
              loading={sending.isPending}
            >
              {t('plans.replan')}
            </Button>
            <ConfirmButton
              size="sm"
              label={t('plans.abort')}
              confirm={t('plans.abortNow')}
              consequence={t('run.cancelText')}
              onConfirm={() => sending.mutate({ type: 'abort' })}
            />
          </Group>
        </Form>
        {sending.error && <ProblemAlert error={sending.error} />}
      </Stack>
    </Paper>
  );
}

/** Lists the files that a plan wrote, as downloads. */
function Files({ plan: { session_id: sessionId, files } }: { plan: Plan }) {
  const { t } = useTranslation();
  if (files.length === 0) return null;
  return (
    <Section title={t('plans.files')}>
      <ul className="plain-list">
        {files.map(({ id, name }) => (
          <li key={id}>
            <Anchor size="sm" href={`/api/sessions/${sessionId}/exports/${id}`} download={name}>
              {t('export.downloadNamed', { name })}
            </Anchor>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Lists the results of the plan steps: the start of each as a preview, the whole as a file. */
function Results({ runId, results }: { runId: string; results: Plan['results'] }) {
  const { t } = useTranslation();
  const render = usePhrases();
  if (results.length === 0) return null;
  return (
    <Section title={t('plans.results')}>
      <Stack gap="xs">
        {results.map(({ task_id: id, tool, preview, error }) => (
          <Paper key={id} withBorder p="sm">
            <Group gap="sm">
              <Text fw={600}>{id}</Text>
              <Hint>{tool}</Hint>
              {!error && (
                <Anchor
                  size="sm"
                  href={`/api/plans/${runId}/tasks/${encodeURIComponent(id)}/result`}
                  download={`${id}.json`}
                >
                  {t('export.downloadNamed', { name: id })}
                </Anchor>
              )}
            </Group>
            {error ? (
              <Alert color="red" title={error.code}>
                {render(error.phrase, error.message)}
              </Alert>
            ) : (
              <ResultValue preview={preview} />
            )}
          </Paper>
        ))}
      </Stack>
    </Section>
  );
}

interface ResultValueProps {
  /** Start of the result: JSON, which is cut if it is long. */
  preview: string;
}

type Row = Record<string, unknown>;

/** Maximum number of rows of a table; the file contains all. */
const MAX_ROWS = 10;

/** Shows a result for people: text as text, rows as a table, figures by name, and truncated JSON unchanged. */
function ResultValue({ preview }: ResultValueProps) {
  const value = parsed(preview);
  if (typeof value === 'string') return <TextBlock>{value}</TextBlock>;
  if (!isRow(value)) return <TextBlock>{preview}</TextBlock>;
  return Object.entries(value).map(([name, each]) => (
    <Field key={name} name={name} value={each} of={value} />
  ));
}

function Field({ name, value, of }: { name: string; value: unknown; of: Row }) {
  if (isTable(value)) return <Rows rows={value} />;
  // The columns of a table are its head.
  if (name === 'columns' && isTable(of['rows'])) return null;
  if (name === 'text' && typeof value === 'string') return <TextBlock>{value}</TextBlock>;
  return (
    <Text size="sm">
      {name}: {inWords(value)}
    </Text>
  );
}

function Rows({ rows }: { rows: Row[] }) {
  const { t } = useTranslation();
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <>
      <ListTable<Row>
        items={rows.slice(0, MAX_ROWS)}
        minWidth={280}
        columns={columns.map((label) => ({ label, cell: (row) => inWords(row[label]) }))}
      />
      {rows.length > MAX_ROWS && <Hint>{t('plans.moreRows', { count: rows.length - MAX_ROWS })}</Hint>}
    </>
  );
}

function TextBlock({ children }: { children: string }) {
  return (
    <Code block tabIndex={0}>
      {children}
    </Code>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTable = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);

/** Returns a value as text on one line. */
const inWords = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  if (isRow(value))
    return Object.entries(value)
      .map(([name, each]) => `${name}: ${inWords(each)}`)
      .join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Runs a completed plan again with the same files, or saves it under a name. */
function PlanAgain({ plan, name: shown }: { plan: Plan; name: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [name, setName] = useState(shown.slice(0, 200));
  const runAgain = async () => {
    const { id } = await runPlanAgain(plan.id);
    await navigate({ to: '/plans/$runId', params: { runId: id } });
  };
  const saving = useMutation({ mutationFn: () => savePlan(plan.id, name.trim()) });
  if (!useMay('write')) return null;
  return (
    <Form onSubmit={() => saving.mutate()}>
      {saving.error && <ProblemAlert error={saving.error} />}
      <Group align="end" gap="sm">
        <TextInput
          label={t('plans.savedName')}
          description={t('plans.savedHint')}
          maxLength={200}
          {...textProps(name, setName)}
        />
        <Button
          type="submit"
          variant="default"
          loading={saving.isPending}
          disabled={name.trim() === '' || saving.isSuccess}
        >
          {t(saving.isSuccess ? 'plans.saved' : 'plans.save')}
        </Button>
        <ActionButton variant="default" label={t('plans.again')} act={runAgain} />
      </Group>
    </Form>
  );
}

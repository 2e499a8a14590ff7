import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { change } from '../../api/api-query';
import { type Plan, planQuery, sendCommand } from '../../api/plans';
import { useMay } from '../../api/session';
import { useTranslation } from '../../i18n/i18n';
import { useReady, PageHeader, Section, Hint } from '../../ui/frames';
import { ActionButton, ConfirmedAction } from '../../ui/actions';
import { ExportFiles } from '../../ui/export-files';
import { LineForm } from '../../ui/line-form';
import { useOpenDecisions } from '../../api/decisions';
import { useRefresh } from '../../api/refresh';
import { useRunEvents } from '../../api/run-events';
import { isOver, runQuery } from '../../api/runs';
import { ConnectionNotice } from '../../ui/connection-notice';
import { Moment } from '../../ui/format';
import { RunError, RunLink } from '../../ui/work-name';
import { WorkActions } from '../../ui/work-actions';
import { DecisionCard } from '../decisions/decision-card';
import { TryAgain } from '../runs/try-again';
import { Notes, PlanningNote } from './planning-note';
import { PlanSteps } from './plan-steps';
import { usePhrases } from '../../ui/run-words';

/** Shows a plan as a graph with the state of each plan step, its questions, results and decisions. */
export default function PlanPage() {
  const { t } = useTranslation();
  const render = usePhrases();
  const { runId } = useParams({ from: '/shell/plans/$runId' });
  const [plan, instead] = useReady(planQuery(runId));
  const { data: run } = useQuery(runQuery(runId));
  const { events } = useRunEvents(runId);
  useRefresh({ id: runId, session_id: plan?.session_id ?? '' }, events);
  // Questions of any run, such as about a failed model; the plan itself contains its own.
  const open = useOpenDecisions(runId, plan?.status === 'needs_answer');
  if (instead) return instead;
  const name = run?.title ?? plan.intent ?? t('plans.plan');
  // The graph shows those of a step at its node.
  const warnings = plan.warnings
    .filter(({ task_id: id }) => !plan.tasks.some((task) => task.id === id))
    .map(({ phrase, message }) => render(phrase, message));
  const isAsking = plan.status === 'needs_answer' || plan.status === 'approval_required';
  return (
    <>
      <PageHeader title={name}>
        {run && <WorkActions id={run.session_id} name={name} run={run} leaveTo="plan" />}
        <RunLink id={runId}>{t('plans.run')}</RunLink>
      </PageHeader>
      <Stack gap="lg">
        <Group gap="sm">
          {plan.intent !== null && plan.intent !== name && <Text>{plan.intent}</Text>}
          <Badge variant={isAsking ? 'filled' : 'default'} color={isAsking ? 'yellow' : undefined}>
            {t(`planStatus.${plan.status}`)}
          </Badge>
          {plan.replans > 0 && <Text size="sm">{t('plans.replans', { count: plan.replans })}</Text>}
          <ConnectionNotice runId={runId} />
        </Group>
        <RunError error={plan.error} />
        {run && isOver(run) && run.status !== 'completed' && <TryAgain run={run} />}
        {plan.planning && <PlanningNote planning={plan.planning} />}
        {warnings.length > 0 && <Notes title={t('plans.warnings')} notes={warnings} colour="yellow" />}
        {plan.status === 'needs_answer' &&
          open?.map((decision) => <DecisionCard key={decision.id} decision={decision} />)}
        {plan.tasks.length > 0 && <PlanSteps plan={plan} run={run} events={events} />}
        {plan.finished_at === null && <Commands runId={runId} />}
        {plan.files.length > 0 && (
          <Section title={t('plans.files')}>
            <ExportFiles sessionId={plan.session_id} files={plan.files} />
          </Section>
        )}
        {plan.status === 'completed' && <PlanAgain key={plan.id} plan={plan} name={name} />}
        <Decisions decisions={plan.decisions} />
      </Stack>
    </>
  );
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
  if (!useMay('write')) return null;
  return (
    <Paper withBorder p="md">
      <LineForm
        fields={[{ name: 'requirement', label: t('plans.requirement'), maxLength: 2_000 }]}
        action={t('plans.replan')}
        onSubmit={(typed) => sendCommand(runId, { type: 'replan_dag', new_requirement: typed.requirement })}
      />
      <Group mt="sm" justify="flex-end">
        <ConfirmedAction
          label={t('plans.abort')}
          confirm={t('plans.abortNow')}
          consequence={t('run.cancelText')}
          act={() => sendCommand(runId, { type: 'abort' })}
        />
      </Group>
    </Paper>
  );
}

/** Runs a completed plan again with the same files, or saves it under a name. */
function PlanAgain({ plan, name: shown }: { plan: Plan; name: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const runAgain = async () => {
    const { id } = await change('POST /api/plans/{run_id}/again', { run_id: plan.id, body: {} }, ['runs']);
    await navigate({ to: '/plans/$runId', params: { runId: id } });
  };
  const [saved, setSaved] = useState<string>();
  const save = async (body: { name: string }) => {
    await change('POST /api/saved-plans', { body: { run_id: plan.id, ...body } }, ['saved-plans']);
    setSaved(body.name);
  };
  const field = { name: 'name', label: t('plans.savedName'), description: t('plans.savedHint') } as const;
  if (!useMay('write')) return null;
  return (
    <>
      <LineForm
        fields={[{ ...field, initial: shown.slice(0, 200), maxLength: 200 }]}
        action={t('plans.save')}
        onSubmit={save}
      >
        <ActionButton variant="default" label={t('plans.again')} act={runAgain} />
      </LineForm>
      {saved && (
        <Hint role="status">
          {t('plans.saved')}: {saved}
        </Hint>
      )}
    </>
  );
}

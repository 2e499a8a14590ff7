import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { historyOf, restore, isOver, type Run } from '../../api/runs';
import type { Decision } from '../../api/decisions';
import { planQuery, type Plan, type PlanTask } from '../../api/plans';
import type { RunEvent } from '../../api/run-events';
import { useMay } from '../../api/session';
import { ConfirmedAction } from '../../ui/actions';
import { Card, Hint, PageLoader, useReady } from '../../ui/frames';
import { formatBytes } from '../../ui/format';
import { lazyPart } from '../../ui/lazy-part';
import { ResultValue } from '../../ui/result-value';
import { usePhrases } from '../../ui/run-words';
import { ApprovalCard } from './approval-card';
import type { StepLook } from './plan-canvas';
import { StepForm, usePicks, useTools } from './step-form';
import { useStepWords } from './step-words';

const PlanCanvas = lazyPart(() => import('./plan-canvas'));

type Result = Plan['results'][number];

interface PlanStepsProps {
  plan: Plan;
  run: Run | undefined;
  events: readonly RunEvent[];
}

/** Fetches a plan that waits for an approval, and shows its goal and its steps with the approval. */
export default function PlanApproval({ decision }: { decision: Decision }) {
  const [plan, instead] = useReady(planQuery(decision.run_id));
  if (plan?.approval_required?.decision_id !== decision.id) return instead ?? <PageLoader />;
  return (
    <>
      {plan.intent !== decision.run_title && <Text>{plan.intent}</Text>}
      <PlanSteps plan={plan} run={undefined} events={[]} />
    </>
  );
}

/** Shows the steps of a run as a graph with state, result and warnings on each node, and the chosen one in full. */
export function PlanSteps({ plan, run, events }: PlanStepsProps) {
  const results = new Map(plan.results.map((result) => [result.task_id, result]));
  const words = useStepWords(results);
  const render = usePhrases();
  const [chosen, setChosen] = useState<string>();
  const [running, planned] = [runningTasks(plan, events), plannedFirst(events)];
  const look = (task: PlanTask): StepLook => {
    const result = results.get(task.id);
    const open = plan.finished_at === null ? 'waiting' : 'not_run';
    return {
      state: result?.status ?? (running.has(task.id) ? 'running' : open),
      title: words.title(task),
      note: result?.error
        ? render(result.error.phrase, result.error.message)
        : result?.status === 'completed'
          ? words.result(result) || formatBytes(result.bytes)
          : (task.purpose ?? ''),
      warnings: plan.warnings
        .filter(({ task_id: id }) => id === task.id)
        .map(({ phrase, message }) => render(phrase, message)),
      isAdded: planned !== null && !planned.has(task.id),
    };
  };
  const failed = plan.results.find(({ status }) => status === 'failed')?.task_id;
  const approval = plan.approval_required;
  // An approval shows the next steps itself.
  const first = approval ? undefined : plan.tasks[0]?.id;
  const shown = chosen ?? failed ?? plan.results.at(-1)?.task_id ?? first;
  const task = plan.tasks.find(({ id }) => id === shown);
  return (
    <div className="plan-desk">
      <PlanCanvas tasks={plan.tasks} look={look} selected={shown} onSelect={setChosen} />
      <Stack>
        {approval && <ApprovalCard key={approval.checkpoint_id} {...{ plan, approval }} />}
        {task && (
          <Step key={task.id} {...{ plan, run, task }} look={look(task)} result={results.get(task.id)} />
        )}
      </Stack>
    </div>
  );
}

interface StepProps extends Pick<PlanStepsProps, 'plan' | 'run'> {
  task: PlanTask;
  look: StepLook;
  result: Result | undefined;
}

/** Shows what a step did: its result, why it failed, and its arguments. */
function Step({ plan, run, task, look, result }: StepProps) {
  const { t } = useTranslation();
  const tools = useTools();
  const picks = usePicks(undefined);
  const { id } = task;
  return (
    <Card title={look.title} component="article">
      <Group gap="sm">
        <Hint>
          {id} · {t(`taskState.${look.state}`)}
        </Hint>
        {result?.status === 'completed' && (
          <Anchor
            size="sm"
            href={`/api/plans/${plan.id}/tasks/${encodeURIComponent(id)}/result`}
            download={`${id}.json`}
          >
            {t('export.downloadNamed', { name: id })}
          </Anchor>
        )}
      </Group>
      {task.purpose && <Text size="sm">{task.purpose}</Text>}
      {look.warnings.length > 0 && <Alert color="yellow">{look.warnings.join(' ')}</Alert>}
      {result?.error && <Alert color="red" title={look.note} />}
      {result?.status === 'completed' && <ResultValue preview={result.preview} />}
      {Object.keys(task.arguments).length > 0 && (
        <details>
          <summary>{t('approvalCard.arguments')}</summary>
          <StepForm
            tool={tools.get(task.tool)}
            values={task.arguments}
            picks={picks}
            tools={tools}
            onChange={undefined}
          />
        </details>
      )}
      {run && result && isOver(run) && <RunFromHere run={run} result={result} />}
    </Card>
  );
}

/** Runs a step again, and what follows it, with the results of the layers before it. */
function RunFromHere({ run, result }: { run: Run; result: Result }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const history = useQuery(historyOf(run.id)).data?.items ?? [];
  // The oldest checkpoint of the layer is before its approval; the input would be planned again.
  const before = history.findLast(
    ({ chapter, next }) => chapter === result.layer && !next.includes('prepare'),
  );
  if (!useMay('write') || !before) return null;
  return (
    <ConfirmedAction
      label={t('plans.fromHere')}
      confirm={t('plans.fromHereNow')}
      consequence={t('plans.fromHereText')}
      act={async () => {
        const { id } = await restore(run.session_id, run.id, before.checkpoint_id);
        await navigate({ to: '/plans/$runId', params: { runId: id } });
      }}
    />
  );
}

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

import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { call, type Schemas } from '../../api/api-query';
import { addInputs, sessionActions, sessionWith } from '../../api/documents';
import { modelQuery } from '../../api/model';
import { planQuery, startPlan, type Plan, type PlanRules, type PlanTask } from '../../api/plans';
import type { SourceFile } from '../../api/source-files';
import { ChosenFiles } from '../../ui/chosen-files';
import { Form, textProps } from '../../ui/actions';
import { LeaveGuard } from '../../ui/leave-guard';
import { NeedsModel, useHasModel } from '../../ui/needs-model';
import { PageHeader, ProblemAlert, useReady } from '../../ui/frames';
import { SourceDrop, useSelection } from '../../ui/source-drop';
import { isFilled, PlanForm, type ChosenPlan } from './parameter-fields';
import { PlanEditor } from './plan-editor';
import { PlanningNote } from './planning-note';
import { usePicks } from './step-form';

/** Values of the rules of a plan; the name of a rule's texts is that of its first line here. */
const RULES = {
  approval: ['critical_only', 'always', 'never'],
  onError: ['replan', 'end', 'retry', 'ask'],
} as const;

/** Page for a new plan: for the goal in the address, for which a plan is suggested at once, or with the steps of an earlier run. */
export default function NewPlanPage() {
  const { goal = '', from } = useSearch({ from: '/shell/plans/new' });
  return from === undefined ? <NewPlan goal={goal} /> : <EditedPlan runId={from} />;
}

function EditedPlan({ runId }: { runId: string }) {
  const [plan, instead] = useReady(planQuery(runId));
  return instead ?? <NewPlan goal="" given={plan} />;
}

interface NewPlanProps {
  goal: string;
  /** Earlier run, whose steps and files the plan begins with. */
  given?: Plan | undefined;
}

/** Asks for a goal and files, shows the plan as a graph to edit and check, and starts it; or starts a template or saved plan. */
function NewPlan({ goal, given }: NewPlanProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [intent, setIntent] = useState(given?.intent ?? goal);
  const [unedited, setUnedited] = useState<PlanTask[]>(given?.tasks ?? []);
  const [tasks, setTasks] = useState<PlanTask[] | null>(unedited);
  const [suggestions, setSuggestions] = useState(0);
  const [template, setTemplate] = useState<ChosenPlan | null>(null);
  const [chosenRules, setRules] = useState<PlanRules | null>(null);
  const { data: model } = useQuery(modelQuery);
  const hasModel = model?.source !== 'none';
  // Without a model, what failed cannot be planned again.
  const onError = hasModel && !template ? ('replan' as const) : ('end' as const);
  const rules = chosenRules ?? { approval: 'critical_only' as const, onError };
  const chosen = useSelection();
  const { sources } = chosen.selection;
  const session = useSession(template?.plan.title ?? intent.trim(), sources, given?.session_id);
  const picks = usePicks(given?.session_id, sources);
  const suggesting = useMutation({
    mutationFn: async (wanted: string) =>
      call('POST /api/plans/suggestions', { body: { session_id: await session(), intent: wanted } }),
    onSuccess: ({ tasks: suggested }) => {
      // Steps made by hand stay if nothing fits.
      if (suggested.length > 0) setUnedited(suggested);
      setTasks((own) => (suggested.length > 0 ? suggested : (own ?? [])));
      setSuggestions((count) => count + 1);
    },
  });
  const { mutate: suggest } = suggesting;
  const isKnown = model !== undefined && hasModel;
  useEffect(() => {
    if (isKnown && goal !== '') suggest(goal);
  }, [isKnown, goal, suggest]);
  const goalOrNone = intent.trim() === '' ? {} : { intent: intent.trim() };
  const starting = useMutation({
    mutationFn: async () => {
      const id = await session();
      return template
        ? startTemplate(id, rules, template)
        : startPlan(id, rules, { ...goalOrNone, ...(tasks && tasks.length > 0 && { dag: { tasks } }) });
    },
    onSuccess: ({ id }) => navigate({ to: '/plans/$runId', params: { runId: id } }),
  });
  const isEmpty = suggesting.data?.tasks.length === 0 && suggesting.variables === intent.trim();
  const isReady = tasks !== null && (tasks.length > 0 || (hasModel && intent.trim() !== '' && !isEmpty));
  return (
    <>
      <PageHeader title={t('plans.new')} />
      <LeaveGuard of="plans" isLost={tasks !== unedited && !starting.isPending && !starting.data} />
      <Stack>
        {!hasModel && <NeedsModel text={t('needsModel.plan')} />}
        {!template && (hasModel || goal !== '') && (
          <Goal intent={intent} isPending={suggesting.isPending} onChange={setIntent} onSuggest={suggest} />
        )}
        <PlanForm chosen={template} picks={picks} onChange={setTemplate} />
        <SourceDrop chosen={chosen} />
        <ChosenFiles chosen={chosen} />
        {suggesting.error && <ProblemAlert error={suggesting.error} />}
        {!template && suggesting.data && <Suggestion suggestion={suggesting.data} />}
        {!template && <PlanEditor {...{ tasks, picks, session, suggestions }} onChange={setTasks} />}
        {starting.error && <ProblemAlert error={starting.error} />}
        <Group align="flex-end">
          <Rules rules={rules} onChange={setRules} />
          <Button
            ml="auto"
            loading={starting.isPending}
            disabled={template ? !isFilled(template) : !isReady}
            onClick={() => starting.mutate()}
          >
            {t('plans.start')}
          </Button>
        </Group>
      </Stack>
    </>
  );
}

/** Starts a template or a saved plan. @throws ApiProblem */
const startTemplate = (sessionId: string, rules: PlanRules, { plan, values: parameters }: ChosenPlan) =>
  'savedPlanId' in plan.source
    ? startPlan(sessionId, rules, { parameters }, plan.source.savedPlanId)
    : startPlan(sessionId, rules, { ...plan.source, parameters });

/**
 * Returns a function that uploads the files to a session, each once, and returns its ID. The session has the current
 * title.
 *
 * @param given session to which the files are added instead
 */
function useSession(
  goal: string,
  sources: SourceFile<File>[],
  given: string | undefined,
): () => Promise<string> {
  const used = useRef<{ sources: SourceFile<File>[]; title: string; id: string } | null>(null);
  const title = goal.slice(0, 200);
  return async () => {
    const sent = used.current?.sources ?? [];
    const isIn = (files: SourceFile<File>[], { file }: SourceFile<File>) =>
      files.some((each) => each.file === file);
    // After a file is taken out again, a new session of its own begins.
    const id = given ?? (sent.every((each) => isIn(sources, each)) ? used.current?.id : undefined);
    const added = sources.filter((each) => !isIn(sent, each));
    if (id !== undefined && added.length > 0) await addInputs(id, added);
    used.current =
      id === undefined
        ? { sources, title, id: await sessionWith(sources, title) }
        : { sources: [...sent, ...added], title: used.current?.title ?? title, id };
    if (used.current.title !== title) await sessionActions(used.current.id).rename(title);
    used.current.title = title;
    return used.current.id;
  };
}

interface GoalProps {
  intent: string;
  isPending: boolean;
  onChange: (intent: string) => void;
  onSuggest: (intent: string) => void;
}

function Goal({ intent, isPending, onChange, onSuggest }: GoalProps) {
  const { t } = useTranslation();
  const hasModel = useHasModel();
  return (
    <Form onSubmit={() => onSuggest(intent.trim())}>
      <Group align="flex-end">
        <Textarea
          flex={1}
          miw={240}
          label={t('plans.intent')}
          description={hasModel && t('plans.intentHint')}
          maxLength={4_000}
          {...textProps(intent, onChange)}
        />
        {hasModel && (
          <Button type="submit" loading={isPending} disabled={intent.trim() === ''}>
            {t('plans.suggest')}
          </Button>
        )}
      </Group>
    </Form>
  );
}

/** Asks when a person approves steps, and what happens after a task fails. */
function Rules({ rules, onChange }: { rules: PlanRules; onChange: (rules: PlanRules) => void }) {
  const { t } = useTranslation();
  return (['approval', 'onError'] as const).map((name) => (
    <Select
      key={name}
      w={280}
      label={t(`plans.${name}`)}
      data={RULES[name].map((value) => ({
        value,
        label: t(`${name === 'onError' ? 'onTaskError' : name}.${value}`),
      }))}
      value={rules[name]}
      onChange={(value) => value && onChange({ ...rules, [name]: value })}
    />
  ));
}

function Suggestion({ suggestion }: { suggestion: Schemas['PlanSuggestion'] }) {
  const { t } = useTranslation();
  const { tasks, confidence, not_covered: missing } = suggestion;
  return (
    <>
      <PlanningNote planning={{ ...suggestion, missing }} />
      <Text size="sm">
        {tasks.length > 0
          ? t('plans.confidence', { share: Math.round(confidence * 100) })
          : t('plans.nothingFits')}
      </Text>
    </>
  );
}

import { Alert, Button, Group, JsonInput, Select, Stack, Text, Textarea, List } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import type { Schemas } from '../../api/client';
import { sessionActions, sessionWith } from '../../api/documents';
import { type OnTaskError, startPlan, suggestPlan, type PlanTask, runSavedPlan } from '../../api/plans';
import type { SourceFile } from '../../api/source-files';
import { isFilled, PlanForm, type ChosenPlan } from './parameter-fields';
import { Notes } from './planning-note';
import { NeedsModel, useHasModel } from '../../ui/needs-model';
import { ProblemAlert } from '../../ui/problem-alert';
import { ChosenFiles } from '../../ui/chosen-files';
import { SourceDrop, useSelection } from '../../ui/source-drop';
import { textProps } from '../../ui/form';

const APPROVALS = ['critical_only', 'always', 'never'] as const;
type Approval = (typeof APPROVALS)[number];
const ERROR_RULES = ['replan', 'end', 'retry', 'ask'] as const;

/** Parses the typed plan steps; null if they are not JSON. */
function parse(text: string): PlanTask[] | null {
  try {
    return JSON.parse(text) as PlanTask[];
  } catch {
    return null;
  }
}

/**
 * Asks for files and a goal, shows the plan that the model makes, and starts it as shown; or starts a template or
 * saved plan, which needs no model.
 */
export default function NewPlan({ initialIntent = '' }: { initialIntent?: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [intent, setIntent] = useState(initialIntent);
  const [tasks, setTasks] = useState('');
  const [approval, setApproval] = useState<Approval>('critical_only');
  const [template, setTemplate] = useState<ChosenPlan | null>(null);
  const hasModel = useHasModel();
  // Without a model, nobody can plan anew.
  const [chosenRule, setErrorRule] = useState<OnTaskError | null>(null);
  const onError = chosenRule ?? (hasModel && !template ? 'replan' : 'end');
  const chosen = useSelection();
  const title = template?.plan.title ?? intent.trim();
  const session = useSession(title, chosen.selection.sources);
  const suggesting = useMutation({
    mutationFn: async (goal: string) => suggestPlan(await session(), goal),
    onSuccess: ({ tasks: found }) => setTasks(found.length === 0 ? '' : JSON.stringify(found, null, 2)),
  });
  const starting = useMutation({
    mutationFn: async () => {
      const [sessionId, rules] = [await session(), { approval, onError }];
      if (!template) {
        const dag = tasks === '' ? {} : { dag: { tasks: parse(tasks) ?? [] } };
        return startPlan(sessionId, rules, { intent: intent.trim(), ...dag });
      }
      const { plan, values: parameters } = template;
      return 'savedPlanId' in plan.source
        ? runSavedPlan(plan.source.savedPlanId, sessionId, rules, parameters)
        : startPlan(sessionId, rules, { ...plan.source, parameters });
    },
    onSuccess: ({ id }) => navigate({ to: '/plans/$runId', params: { runId: id } }),
  });
  const isWrong = tasks !== '' && parse(tasks) === null;
  // As suggested, the plan lacks arguments; edited plan steps are checked by the service.
  const isIncomplete =
    (suggesting.data?.missing.length ?? 0) > 0 && tasks === JSON.stringify(suggesting.data?.tasks, null, 2);
  const isEmpty = suggesting.data?.tasks.length === 0 && suggesting.variables === intent.trim();
  const isReady = template
    ? isFilled(template)
    : intent.trim() !== '' && !isWrong && !isIncomplete && !isEmpty;
  const error = suggesting.error ?? starting.error;
  return (
    <Stack>
      {!hasModel && <NeedsModel text={t('needsModel.plan')} />}
      <PlanForm
        chosen={template}
        files={chosen.selection.sources.map(({ name }) => name)}
        onChange={setTemplate}
      />
      {hasModel && !template && <Goal intent={intent} onChange={setIntent} />}
      <SourceDrop chosen={chosen} />
      <ChosenFiles chosen={chosen} />
      <Rules approval={approval} onApproval={setApproval} onError={onError} onErrorRule={setErrorRule} />
      {!template && suggesting.data && <Suggestion suggestion={suggesting.data} />}
      {!template && tasks !== '' && <TasksField tasks={tasks} isWrong={isWrong} onChange={setTasks} />}
      {error && <ProblemAlert error={error} />}
      <Group justify="flex-end">
        {hasModel && !template && (
          <Button
            variant="default"
            loading={suggesting.isPending}
            disabled={intent.trim() === ''}
            onClick={() => suggesting.mutate(intent.trim())}
          >
            {t('plans.suggest')}
          </Button>
        )}
        <Button
          loading={starting.isPending}
          disabled={!isReady || (!hasModel && !template)}
          onClick={() => starting.mutate()}
        >
          {t('plans.start')}
        </Button>
      </Group>
    </Stack>
  );
}

/**
 * Returns a function that uploads the files to a session, once for the same files, and returns its ID. The session has
 * the current title.
 */
function useSession(goal: string, sources: SourceFile<File>[]): () => Promise<string> {
  const used = useRef<{ sources: SourceFile<File>[]; title: string; id: string } | null>(null);
  const title = goal.slice(0, 200);
  return async () => {
    if (used.current?.sources !== sources)
      used.current = { sources, title, id: await sessionWith(sources, title) };
    if (used.current.title !== title) await sessionActions(used.current.id).rename(title);
    used.current.title = title;
    return used.current.id;
  };
}

interface RulesProps {
  approval: Approval;
  onApproval: (rule: Approval) => void;
  onError: OnTaskError;
  onErrorRule: (rule: OnTaskError) => void;
}

/** Asks when a person approves steps, and what happens after a task fails. */
function Rules({ approval, onApproval, onError, onErrorRule }: RulesProps) {
  const { t } = useTranslation();
  return (
    <>
      <Select
        label={t('plans.approval')}
        data={APPROVALS.map((value) => ({ value, label: t(`approval.${value}`) }))}
        value={approval}
        allowDeselect={false}
        onChange={(value) => value && onApproval(value as Approval)}
      />
      <Select
        label={t('plans.onError')}
        data={ERROR_RULES.map((value) => ({ value, label: t(`onTaskError.${value}`) }))}
        value={onError}
        allowDeselect={false}
        onChange={(value) => value && onErrorRule(value as OnTaskError)}
      />
    </>
  );
}

function Goal({ intent, onChange }: { intent: string; onChange: (intent: string) => void }) {
  const { t } = useTranslation();
  return (
    <Textarea
      label={t('plans.intent')}
      description={t('plans.intentHint')}
      minRows={2}
      maxLength={4_000}
      {...textProps(intent, onChange)}
    />
  );
}

function Suggestion({ suggestion }: { suggestion: Schemas['PlanSuggestion'] }) {
  const { t } = useTranslation();
  return (
    <>
      {suggestion.understanding !== null && <Text>{suggestion.understanding}</Text>}
      {suggestion.tasks.length > 0 && (
        <Text size="sm">{t('plans.confidence', { share: Math.round(suggestion.confidence * 100) })}</Text>
      )}
      <Text size="sm">{t(`plannedBy.${suggestion.planned_by}`)}</Text>
      {suggestion.assumptions.length > 0 && (
        <Notes title={t('plans.assumptions')} notes={suggestion.assumptions} colour="blue" />
      )}
      {suggestion.not_covered.length > 0 && (
        <Notes title={t('plans.notCovered')} notes={suggestion.not_covered} colour="yellow" />
      )}
      {suggestion.tasks.length === 0 && <Text size="sm">{t('plans.nothingFits')}</Text>}
      {suggestion.missing.length > 0 && (
        <Alert color="yellow" title={t('plans.missing')}>
          {suggestion.missing.map(({ task_id: id, parameter }) => `${id}: ${parameter}`).join(', ')}.{' '}
          {t('plans.missingText')}
        </Alert>
      )}
      {suggestion.tasks.length > 0 && <PlanSteps tasks={suggestion.tasks} />}
    </>
  );
}

interface TasksFieldProps {
  tasks: string;
  isWrong: boolean;
  onChange: (tasks: string) => void;
}

function TasksField({ tasks, isWrong, onChange }: TasksFieldProps) {
  const { t } = useTranslation();
  return (
    <JsonInput
      label={t('plans.tasks')}
      description={t('plans.tasksHint')}
      autosize
      minRows={6}
      maxRows={10}
      value={tasks}
      onChange={onChange}
      error={isWrong && t('plans.notJson')}
    />
  );
}

/** Maximum number of characters shown of an argument. */
const SHOWN = 120;

/** Lists the steps of a suggested plan in words: what each tool does, and with which arguments. */
function PlanSteps({ tasks }: { tasks: readonly PlanTask[] }) {
  const { t } = useTranslation();
  const inWords = (value: unknown): string => {
    if (typeof value === 'string') return value.slice(0, SHOWN);
    const from = (value as { $from?: unknown } | null)?.$from;
    if (typeof from === 'string') return t('plans.resultOf', { task: from });
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return JSON.stringify(value).slice(0, SHOWN);
    const parts = Object.entries(value).map(([name, part]) => `${name}: ${inWords(part)}`);
    return parts.join(', ').slice(0, SHOWN);
  };
  return (
    <List type="ordered" size="sm" aria-label={t('plans.steps')}>
      {tasks.map(({ id, tool, purpose, arguments: args }) => (
        <List.Item key={id}>
          <strong>{id}</strong>: {purpose ?? t(`tool.${tool}`, { defaultValue: tool })}
          {Object.entries(args).map(([name, value]) => (
            <Text key={name} size="sm" c="dimmed">
              {name}: {inWords(value)}
            </Text>
          ))}
        </List.Item>
      ))}
    </List>
  );
}

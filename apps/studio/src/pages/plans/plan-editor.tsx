import { checkProps, SmallButton } from '../../ui/actions';
import { addStep, link, problemsOfStep, removeStep, unlink } from '#plan/contract/editing.js';
import { isObject, jsonOf } from '#contracts/lenient.js';
import { Alert, Button, Group, JsonInput, Select, Stack, Switch, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { ApiProblem, call } from '../../api/api-query';
import { planQuery, type PlanTask } from '../../api/plans';
import { lazyPart } from '../../ui/lazy-part';
import { ProblemAlert } from '../../ui/frames';
import { isTable } from '../../ui/result-value';
import { RunError } from '../../ui/work-name';
import { useRunWords, usePhrases } from '../../ui/run-words';
import type { Picks } from '../../ui/value-field';
import { StepEditor } from './step-editor';
import { useTools } from './step-form';
import { useStepWords } from './step-words';

const PlanCanvas = lazyPart(() => import('./plan-canvas'));

interface PlanEditorProps {
  /** Null while the JSON that is typed cannot be read. */
  tasks: PlanTask[] | null;
  picks: Picks;
  /** Number of suggestions that have replaced the steps. */
  suggestions: number;
  /** Returns the ID of the session with the files of the plan. */
  session: () => Promise<string>;
  onChange: (tasks: PlanTask[] | null) => void;
}

/** Edits a plan as a graph with a form for the chosen step, or as JSON, and checks it without running it. */
export function PlanEditor({ tasks, picks, suggestions, session, onChange }: PlanEditorProps) {
  const { t } = useTranslation();
  const [isJson, setJson] = useState(false);
  const checking = useMutation({
    mutationFn: async (wanted: PlanTask[]) => {
      const body = { session_id: await session(), dag: { tasks: wanted }, config: { plan_only: true } };
      return call('POST /api/plans', { body });
    },
  });
  const { data: checked } = useQuery({
    ...planQuery(checking.data?.id ?? ''),
    enabled: checking.isSuccess,
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : POLL_INTERVAL_MS),
  });
  const isCurrent = checking.variables === tasks;
  const isPending = isCurrent && (checking.isPending || (checking.isSuccess && !checked?.finished_at));
  return (
    <Stack>
      {isJson ? (
        <PlanJson key={suggestions} tasks={tasks} onChange={onChange} />
      ) : (
        <StepGraph
          tasks={tasks ?? []}
          picks={picks}
          problems={isCurrent && checking.error ? checking.error : null}
          onChange={onChange}
        />
      )}
      {isCurrent && checking.error && <ProblemAlert error={checking.error} />}
      {isCurrent && checked?.error && <RunError error={checked.error} />}
      <Group>
        <Switch label={t('plans.json')} disabled={tasks === null} {...checkProps(isJson, setJson)} />
        {!!tasks?.length && (
          <Button variant="default" loading={isPending} onClick={() => checking.mutate(tasks)}>
            {t('plans.check')}
          </Button>
        )}
        <Text size="sm" role="status">
          {isCurrent && checked?.status === 'completed' && t('plans.checked')}
        </Text>
      </Group>
    </Stack>
  );
}

/** Refetch interval of the check, in ms. */
const POLL_INTERVAL_MS = 1_000;

function PlanJson({ tasks, onChange }: Pick<PlanEditorProps, 'tasks' | 'onChange'>) {
  const { t } = useTranslation();
  const [text, setText] = useState(JSON.stringify(tasks, null, 2));
  return (
    <JsonInput
      label={t('plans.tasks')}
      autosize
      minRows={6}
      maxRows={24}
      value={text}
      onChange={(typed) => {
        setText(typed);
        onChange(tasksIn(jsonOf(typed)));
      }}
      error={tasks === null && t('plans.notJson')}
    />
  );
}

/** Returns the steps in a value, as far as the graph needs them; null if it is no list of steps with different IDs. */
function tasksIn(value: unknown): PlanTask[] | null {
  if (!isTable(value)) return null;
  const tasks = value.map((task) => ({ arguments: {}, depends_on: [], ...task }) as Record<string, unknown>);
  const areSteps = tasks.every(
    ({ id, tool, purpose = '', arguments: args, depends_on: before }) =>
      isObject(args) &&
      Array.isArray(before) &&
      [id, tool, purpose, ...(before as unknown[])].every((text) => typeof text === 'string'),
  );
  const isUnique = new Set(tasks.map(({ id }) => id)).size === tasks.length;
  return areSteps && isUnique ? (tasks as PlanTask[]) : null;
}

interface StepGraphProps extends Pick<PlanEditorProps, 'picks' | 'onChange'> {
  tasks: PlanTask[];
  /** What the last check of these steps found. */
  problems: Error | null;
}

function StepGraph({ tasks, picks, problems, onChange }: StepGraphProps) {
  const { t } = useTranslation();
  const tools = useTools();
  const [selected, setSelected] = useState<string>();
  const { change: save, undo, redo, turn } = useHistory(tasks, onChange);
  const warningsFor = useWarnings(tasks, picks, problems);
  const find = (id: string | undefined) => tasks.find((task) => task.id === id);
  const change = (next: PlanTask[], chosen = selected, edited: Element | null = null) => {
    setSelected(chosen);
    save(next, edited);
  };
  const replace = (task: PlanTask, edited: Element | null = null) => {
    const next = tasks.map((each) => (each.id === task.id ? task : each));
    change(next, task.id, edited);
  };
  const remove = (id: string) => change(removeStep(tasks, id));
  const add = (tool: string) => {
    const next = addStep(tasks, tool);
    change(next, next.at(-1)!.id);
  };
  const task = find(selected);
  return (
    <>
      <Group align="flex-end">
        <AddStep onAdd={add} />
        {(undo ?? redo) &&
          Object.entries({ undo, redo }).map(([name, act]) => (
            <SmallButton key={name} size="sm" label={t(`plans.${name}`)} isIdle={!act} onClick={act} />
          ))}
      </Group>
      {tasks.length > 0 && (
        <div className="plan-desk">
          <PlanCanvas
            tasks={tasks}
            look={(each) => ({ state: 'planned', note: each.purpose ?? '', warnings: warningsFor(each) })}
            selected={selected}
            onSelect={setSelected}
            edit={{
              canLink: (a, b) => link(tasks, a, b, tools) !== null,
              link: (a, b) => replace(link(tasks, a, b, tools)!),
              unlink: (a, b) => replace(unlink(find(b)!, a)),
              remove,
            }}
          />
          {task ? (
            <StepEditor
              key={`${task.id} ${turn}`}
              task={task}
              tasks={tasks}
              tools={tools}
              picks={picks}
              warnings={warningsFor(task)}
              onChange={(next) => replace(next, document.activeElement)}
              onRemove={() => remove(task.id)}
            />
          ) : (
            <Alert color="gray">{t('plans.chooseStep')}</Alert>
          )}
        </div>
      )}
    </>
  );
}

/** States of a plan: the present one, before changes, after changes that were undone, and the number of times either was shown. */
interface History {
  shown: PlanTask[];
  past: { tasks: PlanTask[]; edited: Element | null }[];
  future: PlanTask[][];
  turn: number;
}

/** Returns a function that changes a plan, and others that undo and redo changes; these are undefined if there are none. */
function useHistory(tasks: PlanTask[], onChange: (tasks: PlanTask[]) => void) {
  const [history, setHistory] = useState<History>({ shown: tasks, past: [], future: [], turn: 0 });
  const { shown, past, future } = history;
  const [before, after] = [past.at(-1), future.at(-1)];
  const passed = { tasks: shown, edited: null };
  const turn = history.turn + 1;
  // A suggestion replaces the steps from outside.
  if (shown !== tasks) setHistory({ shown: tasks, past: [...past, passed], future: [], turn });
  const undo =
    before &&
    (() => {
      setHistory({ shown: before.tasks, past: past.slice(0, -1), future: [...future, shown], turn });
      onChange(before.tasks);
    });
  const redo =
    after &&
    (() => {
      setHistory({ shown: after, past: [...past, passed], future: future.slice(0, -1), turn });
      onChange(after);
    });
  useHotkeys([
    ['mod+Z', () => undo?.()],
    ['mod+shift+Z', () => redo?.()],
    ['mod+Y', () => redo?.()],
  ]);
  /** @param edited field in which is typed; until another is, all of that is undone together */
  const change = (next: PlanTask[], edited: Element | null) => {
    const isTyping = edited !== null && before?.edited === edited;
    setHistory({ ...history, shown: next, past: isTyping ? past : [...past, { tasks, edited }], future: [] });
    onChange(next);
  };
  return { change, undo, redo, turn: history.turn };
}

/** Returns a function that says what is wrong with a step: what its form lacks, and what the last check found. */
function useWarnings(tasks: PlanTask[], picks: Picks, problems: Error | null) {
  const { t } = useTranslation();
  const words = useStepWords();
  const render = usePhrases();
  const tools = useTools();
  const found = problems instanceof ApiProblem ? (problems.problem.errors ?? []) : [];
  return (task: PlanTask): string[] => {
    const { missing, wrong, gone } = problemsOfStep(
      task,
      tasks,
      tools,
      picks.input.map(({ value }) => value),
    );
    const labelFor = words.argument(task.tool);
    const path = `dag.tasks.${tasks.indexOf(task)}`;
    return [
      ...missing.map((name) => t('plans.lacks', { name: labelFor(name) })),
      ...wrong.map((name) => t('plans.wrongValue', { name: labelFor(name) })),
      ...gone.map((name) => t('plans.lacksStep', { name })),
      ...found.filter((each) => each.path === path).map(({ phrase, message }) => render(phrase, message)),
    ];
  };
}

/** Adds a step that calls a tool, found by what it does. */
function AddStep({ onAdd }: { onAdd: (tool: string) => void }) {
  const { t } = useTranslation();
  const words = useRunWords();
  const tools = [...useTools().values()];
  return (
    <Select
      flex={1}
      maw={480}
      label={t('plans.addStep')}
      placeholder={t('plans.findTool')}
      searchable
      data={tools.map(({ name, description }) => ({
        value: name,
        label: words.tool(name) || `${name}: ${description}`,
      }))}
      value={null}
      onChange={(tool) => tool && onAdd(tool)}
    />
  );
}

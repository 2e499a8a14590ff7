import { isDeepStrictEqual } from 'node:util';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { outcomeActions, type PlanPause, type PlanTask } from '../contract/values.js';
import { InvalidPlanError, layersOf, nextLayer } from './dag.js';
import { describedCall, problemOfCall } from '../tools/platform/http-request.js';
import { calledBy, callsOf, MAP, mappedTool, mapTool, unmappable } from '../tools/platform/map.js';
import { asksFirst, BY_CLIENT, type Origin } from './outbound.js';
import { completedTasks, newestResults, settledTasks } from './attempts.js';
import type { PlanState, PlanUpdate } from '../graph/state.js';
import { FOR_PEOPLE } from '../tools/tool.js';
import type { Toolbox } from '../tools/toolbox.js';

/** Returns the plan steps that a model wrote. */
export function stepsByModel(state: Pick<PlanState, 'planned_by_model' | 'planning' | 'tasks'>): string[] {
  // Runs of older releases recorded only who made the whole plan.
  const all = state.planning?.planned_by === 'model' ? state.tasks.map(({ id }) => id) : [];
  return state.planned_by_model ?? all;
}

/** Returns the plan steps that are due. */
export function dueTasks(state: Pick<PlanState, 'tasks' | 'results' | 'given_up'>): PlanTask[] {
  return nextLayer(state.tasks, settledTasks(state)).filter(({ id }) => !state.given_up?.includes(id));
}

/**
 * Returns the plan for the state: its steps, and the data that approval needs.
 *
 * @param origin of a plan that a model took part in
 * @param answered plan steps as answers to approvals left them: others must not have arguments for answers
 * @throws InvalidPlanError if the graph is invalid or a tool is missing
 */
export function planUpdate(
  tasks: PlanTask[],
  { tools }: Pick<Toolbox, 'tools'>,
  origin: Origin = BY_CLIENT,
  answered: readonly PlanTask[] = [],
): PlanUpdate {
  layersOf(tasks);
  const unknown = tasks.find(({ tool }) => !tools.has(tool));
  if (unknown)
    throw new InvalidPlanError(phrase('invalid_plan.unknown_tool', { task: unknown.id, tool: unknown.tool }));
  for (const task of tasks) {
    checkCall(task, tools);
    const [argument] = answerArguments(task, tools);
    if (argument !== undefined && !answered.some((known) => isDeepStrictEqual(known, task)))
      throw new InvalidPlanError(phrase('invalid_plan.answer_argument', { task: task.id, argument }));
  }
  return {
    tasks,
    planned_by_model: [...origin.byModel],
    with_side_effects: tasks.filter((task) => asksFirst(task, tools, origin)).map(({ id }) => id),
    incomplete: tasks.flatMap((task) =>
      requiredOf(task, tools)
        .filter((name) => !Object.hasOwn(task.arguments, name))
        .map((name) => `${task.id}.${name}`),
    ),
  };
}

/** @throws InvalidPlanError if a call contains a credential, or a `map` calls a tool that it cannot call */
function checkCall(task: PlanTask, tools: Toolbox['tools']): void {
  const problem = problemOfCalls(task);
  if (problem !== null) throw new InvalidPlanError(phrase('invalid_plan.call', { task: task.id, problem }));
  if (task.tool !== MAP || task.arguments['tool'] === undefined) return;
  const called = tools.get(mappedTool(task) ?? '');
  const reason = unmappable(task.arguments['tool'], called && describedCall(called, callsOf(task)));
  if (reason !== null)
    throw new InvalidPlanError(phrase('invalid_plan.map', { task: task.id, problem: reason }));
}

/** Returns why a plan must not contain the calls of a step; null if it may. */
export function problemOfCalls(task: Pick<PlanTask, 'tool' | 'arguments'>): Phrase | null {
  const { tool } = calledBy(task);
  return callsOf(task).reduce<Phrase | null>((found, args) => found ?? problemOfCall(tool, args), null);
}

/** Returns the arguments of a step that only the answer to an approval may contain: nobody is asked about them. */
function answerArguments({ tool, arguments: args }: PlanTask, tools: Toolbox['tools']): string[] {
  const properties = (tools.get(tool)?.input['properties'] ?? {}) as Record<string, object>;
  return Object.keys(args).filter((name) => Object.hasOwn(properties[name] ?? {}, FOR_PEOPLE));
}

/** Returns plan steps without what answers to approvals changed in single calls, to run the steps again. */
export function withoutAnswers(tasks: readonly PlanTask[]): PlanTask[] {
  const tools = new Map([[MAP, mapTool.description]]);
  return tasks.map((task) => {
    const left = answerArguments(task, tools);
    const kept = Object.entries(task.arguments).filter(([name]) => !left.includes(name));
    return { ...task, arguments: Object.fromEntries(kept) };
  });
}

function requiredOf({ tool }: PlanTask, tools: Toolbox['tools']): string[] {
  return (tools.get(tool)!.input['required'] as string[] | undefined) ?? [];
}

/**
 * Returns whether a person must approve the due plan steps (P5). Missing arguments require it regardless of
 * the setting.
 */
export function needsApproval(state: PlanState): boolean {
  const due = dueTasks(state).map(({ id }) => id);
  if (due.length === 0 || due.every((id) => state.approved.includes(id))) return false;
  if (due.some((id) => lacking(state, id).length > 0)) return true;
  // The model has planned only a part of the request: a person decides whether to run it.
  if (state.layer === 0 && (state.planning?.missing.length ?? 0) > 0) return true;
  const { approval_required: rule } = state.config.hil;
  const isCritical = (id: string) =>
    state.with_side_effects.includes(id) || state.tasks.some((task) => task.id === id && task.needs_approval);
  if (rule === 'critical_only') return due.some((id) => isCritical(id) && !state.approved.includes(id));
  return rule === 'always';
}

/** Returns the arguments that a plan step lacks. */
function lacking(state: PlanState, id: string): string[] {
  return state.incomplete
    .filter((entry) => entry.startsWith(`${id}.`))
    .map((entry) => entry.slice(id.length + 1));
}

const OPTIONS = {
  ail: ['continue', 'replan_dag', 'abort'],
  hil: ['approve', 'reject'],
  outcome: outcomeActions,
} as const;

/** Returns the data shown for a decision (P2). */
export function pauseOf(state: PlanState, kind: keyof typeof OPTIONS): PlanPause {
  const newest = newestResults(state);
  const last = state.running.flatMap((id) => newest.get(id) ?? []);
  return {
    checkpoint_id: `${kind}-${state.pauses + 1}`,
    completed_layer: state.layer,
    completed: completedTasks(state).map(({ task_id }) => task_id),
    results: last.map(({ task_id, tool, status, preview, error, interrupted_items }) => ({
      ...{ task_id, tool, status, preview, error },
      ...(interrupted_items && { interrupted_items }),
    })),
    next_layer: dueTasks(state).map(({ id, tool, arguments: args, purpose }) => ({
      task_id: id,
      tool,
      arguments: args,
      ...(purpose === undefined ? {} : { purpose }),
      side_effects: state.with_side_effects.includes(id),
      missing: lacking(state, id),
    })),
    options: [...OPTIONS[kind]],
  };
}

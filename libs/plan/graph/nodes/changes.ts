import { detailOf, messageOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { TaskError } from '#contracts/task-error.js';
import { afterNode, isOfNode } from '#kit/graph/model-recovery.js';
import { BudgetExceededError, ModelFailure } from '#kit/graph/ports.js';
import { stepKey } from '#kit/graph/node.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Planning, PlanTask, PlanTaskResult } from '../../contract/values.js';
import { dependenciesOf } from '../../contract/dependencies.js';
import { layersOf } from '../../dag/dag.js';
import { currentTool } from '../../tools/catalogue.js';
import type { GivenCommand, Lesson, PlanPorts } from '../ports.js';
import { planUpdate } from '../../dag/progress.js';
import { originOf, stepsByModelAfter } from '../origin.js';
import { replan, ReplanRefused, type Requirement, requireReplan } from '../replan.js';
import { completedTasks, fatalFailure, newestResults, settledTasks } from '../../dag/attempts.js';
import type { PlanMessage, PlanState, PlanUpdate } from '../state.js';
import type { Toolbox } from '../../tools/toolbox.js';
import { decision, emitter, now, type PlanStep } from './context.js';
import { modelFailed, planningTier, replansByRules } from './model.js';
import { isDeepStrictEqual } from 'node:util';
import { planByModel } from '../../planner/plan-by-model.js';

type Emit = ReturnType<typeof emitter>;

/**
 * P7, P8: replans for a new requirement, by the model or by rules. If that is refused, the plan continues
 * unchanged. If the model fails or the budget is too low, the requirement stays and a person is asked next (X13, X7).
 */
async function replanFor(
  ports: PlanPorts,
  state: PlanState,
  requirement: Requirement,
  emit: Emit,
  config: RunnableConfig,
): Promise<PlanUpdate> {
  const replans = state.replans + 1;
  const { model_recovery: recovery } = state;
  const done = { requirement: null, ...(isOfNode(recovery) && { model_recovery: afterNode(recovery) }) };
  try {
    if (replansByRules(state)) emit('fallback_used', { stage: 'replan' });
    const { tasks, toolbox, planning } = await replanned(ports, state, requirement, config);
    // Rules copy values from the requirement, which the agent wrote if it is a model.
    const isByModel = planning.planned_by === 'model' || state.config.ail.agent === 'model';
    const byModel = stepsByModelAfter(state, tasks, isByModel);
    const update = planUpdate(tasks, toolbox, await originOf(ports, tasks, byModel), state.tasks);
    const before = new Set(state.tasks.map(({ id }) => id));
    const kept = new Set(tasks.map(({ id }) => id));
    const added = tasks.filter(({ id }) => !before.has(id)).map(({ id, tool }) => ({ id, tool }));
    const dropped = state.tasks.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
    const layers = layersOf(tasks);
    const planned_by = planning.planned_by;
    emit('state_updated', { context_keys: ['dag_replanned'], added, dropped, layers, planned_by });
    const given_up = stillGivenUp(state, tasks);
    return { ...update, ...done, given_up, replans, planning, context: requirement.available_context };
  } catch (error) {
    config.signal?.throwIfAborted();
    if (error instanceof ModelFailure) {
      const asked = { operation: 'replan', tier: planningTier(state) } as const;
      return { requirement, ...(await modelFailed(ports, state, error, asked)) };
    }
    if (error instanceof BudgetExceededError) return { requirement, budget_shortfall: error.shortfall };
    const { code, message, phrase: known } = refusalOf(error);
    const refusal = { error: message, ...(known ? { phrase: known } : {}) };
    const { given_up } = requirement;
    emit('replan_failed', { code, ...refusal, action_taken: given_up ? 'end' : 'continue' });
    return {
      ...done,
      ...(code === 'replan_limit' ? {} : { replans }),
      ...(given_up && { given_up }),
    };
  }
}

/** Returns the steps that failed without ending the plan, and that a new plan keeps unchanged: they do not run again. */
function stillGivenUp({ tasks: before, given_up }: PlanState, tasks: readonly PlanTask[]): string[] {
  const isKept = (task: PlanTask) => before.some((old) => isDeepStrictEqual(old, task));
  return tasks
    .filter((task) => task.continue_on_error && given_up?.includes(task.id) && isKept(task))
    .map(({ id }) => id);
}

async function replanned(
  ports: PlanPorts,
  state: PlanState,
  requirement: Requirement,
  config: RunnableConfig,
): Promise<{ tasks: PlanTask[]; planning: Planning; toolbox: Toolbox }> {
  const toolbox = await ports.toolbox();
  if (!(await ports.isOffline()) && !replansByRules(state))
    return { ...(await replanByModel(ports, state, requirement, toolbox, config)), toolbox };
  const completed = completedTasks(state).map(({ task_id, result }) => ({ task_id, result }));
  const tasks = replan({ tasks: state.tasks, completed, replans: state.replans }, requirement, toolbox);
  return { tasks, planning: BY_RULES, toolbox };
}

const BY_RULES: Planning = {
  planned_by: 'rules',
  understanding: null,
  outputs: [],
  assumptions: [],
  missing: [],
};

function refusalOf(error: unknown): TaskError {
  if (error instanceof ReplanRefused) return { code: error.code, ...messageOf(detailOf(error)) };
  return { code: 'replan_error', ...messageOf(phrase('run_error.replan_failed')) };
}

/** Re-plans for the requirement of the agent, or of a command whose model failed. */
export function replanNode(ports: PlanPorts): PlanStep {
  return (state, config) => replanFor(ports, state, state.requirement!, emitter(ports, config), config);
}

/**
 * P4: executes the clients' commands in order, before the next layer begins. Those after a failed model or a
 * budget that is too low wait for the decision about it.
 */
export function commandsNode(ports: PlanPorts): PlanStep {
  return async (state, config) => {
    const emit = emitter(ports, config);
    const all = await ports.givenCommands();
    const fresh = all.filter(({ id }) => !state.commands_followed.includes(id));
    let update: PlanUpdate = { commands_followed: [] };
    for (const given of fresh) {
      const next = await follow(ports, { ...state, ...update }, given, emit, config);
      update = {
        ...update,
        ...next,
        commands_followed: [...update.commands_followed!, given.id],
        decisions: [...(update.decisions ?? []), ...(next.decisions ?? [])],
        messages: [...(update.messages ?? []), ...(next.messages ?? [])],
      };
      if (next.model_recovery?.failure || next.budget_shortfall) break;
    }
    return update;
  };
}

async function follow(
  ports: PlanPorts,
  state: PlanState,
  { id, command }: GivenCommand,
  emit: Emit,
  config: RunnableConfig,
): Promise<PlanUpdate> {
  if (command.type === 'approval_response' || state.status === 'aborted') {
    emit('command_refused', { command_id: id, type: command.type });
    return {};
  }
  const reason =
    command.type === 'abort' || command.type === 'request_decision'
      ? command.reason
      : command.type === 'replan_dag'
        ? command.new_requirement
        : null;
  const taken = decision({
    type: 'command',
    action: command.type,
    by: 'client',
    checkpoint_id: null,
    reason,
  });
  emit('plan_decision', { ...taken, command_id: id });
  const decisions = [taken];
  const messages = [commandMessage(id, command)];
  switch (command.type) {
    case 'continue':
      return { decisions, messages };
    case 'request_decision':
      return { decisions, messages, decision_requested: true };
    case 'abort':
      return {
        decisions,
        messages,
        status: 'aborted',
        error: {
          code: 'plan_aborted',
          ...messageOf(command.reason || phrase('run_error.plan_aborted.command')),
        },
      };
    case 'replan_dag':
      return { decisions, messages, ...(await replanFor(ports, state, command, emit, config)) };
  }
}

/** Returns a command for the conversation: a tool call, or a sentence if the agent has no such tool. */
function commandMessage(id: string, { type: name, ...args }: GivenCommand['command']): PlanMessage {
  const base = { role: 'agent' as const, results: [], at: now() };
  return name === 'request_decision'
    ? { ...base, text: `A client asks for your decision: ${JSON.stringify(args)}` }
    : { ...base, text: `${name} ${JSON.stringify(args)}`, call: { id, name, args }, by: 'client' };
}

/** Closes the plan and stores its lesson; refuses late commands with an event. */
export function finishNode(ports: PlanPorts): PlanStep {
  return async (state, config) => {
    const fatal = fatalFailure(state);
    const lesson = state.status === 'running' && !fatal ? lessonOf(state) : null;
    const [late] = await Promise.all([
      ports.closeCommands(stepKey(config), state.commands_followed),
      lesson && ports.keepLesson(lesson),
    ]);
    const emit = emitter(ports, config);
    for (const { id, command } of late) emit('command_refused', { command_id: id, type: command.type });
    if (state.status !== 'running') return {};
    return fatal ? { status: 'failed', error: taskFailed(fatal) } : { status: 'completed' };
  };
}

function taskFailed({ task_id: task, tool, error }: PlanTaskResult): TaskError {
  const message = phrase('run_error.at_task_of_tool', { task, tool, error: detailOf(error!) });
  return { code: 'task_failed', ...messageOf(message) };
}

/** Returns the lesson of a plan; null if nothing succeeded. */
function lessonOf(state: PlanState): Lesson | null {
  const done = completedTasks(state);
  if (done.length === 0) return null;
  const named = done.flatMap(({ task_id, tool }) => {
    const current = currentTool(tool);
    return current === null ? [] : [[task_id, current] as const];
  });
  const toolOf = new Map(named);
  const edges = state.tasks.flatMap((task) =>
    dependenciesOf(task).flatMap((before) => {
      const [from, to] = [toolOf.get(before), toolOf.get(task.id)];
      return from !== undefined && to !== undefined ? [{ from, to }] : [];
    }),
  );
  return { intent: state.intent, tools: [...new Set(toolOf.values())], edges };
}

/**
 * Has the model replan what has not run. Tasks that ran stay unchanged (P7).
 *
 * @returns all tasks of the new plan, first the tasks that ran
 * @throws ReplanRefused, ModelFailure, BudgetExceededError, or the signal's reason
 */
async function replanByModel(
  ports: PlanPorts,
  state: PlanState,
  requirement: Requirement,
  toolbox: Toolbox,
  config: RunnableConfig,
): Promise<{ tasks: PlanTask[]; planning: Planning }> {
  requireReplan(state.replans);
  const newest = newestResults(state);
  const settled = settledTasks(state);
  const ran = state.tasks.filter(({ id }) => settled.has(id));
  const soFar = {
    done: ran.map((task) => {
      const { status, preview } = newest.get(task.id)!;
      return { task, status, preview };
    }),
    open: state.tasks.filter(({ id }) => !settled.has(id)),
    failed: [...newest.values()].flatMap(({ task_id, error }) =>
      error ? [`${task_id}: ${error.message}`] : [],
    ),
    requirement: requirement.new_requirement,
  };
  const wanted = {
    intent: state.intent ?? requirement.new_requirement,
    context: { ...state.context, ...requirement.available_context },
    inputs: await ports.glance(),
    toolbox,
    schemas: ports.schemas,
    codes: ports.codes,
    secrets: await ports.secrets(),
    collections: await ports.collections(),
    soFar,
    tier: planningTier(state),
    onWordsOnly: () => emitter(ports, config)('tools_found_by_words', { stage: 'replan' }),
  };
  const key = `${stepKey(config)}/replan/${state.replans}`;
  const { tasks, ...told } = await planByModel(ports.model, wanted, key, config.signal);
  if (tasks.length === 0) throw new ReplanRefused('plan_incomplete', told.missing.join(' '));
  return { tasks: [...ran, ...tasks], planning: { planned_by: 'model', ...told } };
}

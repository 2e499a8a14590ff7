import { messageOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { BudgetExceededError } from '#kit/graph/ports.js';
import { runRemotely, type RemoteOutcome } from '#kit/graph/remote.js';
import type { PlanConfig, PlanTask, PlanTaskResult } from '../../contract/values.js';
import { OUTCOME_UNKNOWN } from '../../contract/tasks.js';
import { graphTools, type GraphToolPorts } from '../../tools/graph/catalogue.js';
import { MAP, mapTool } from '../../tools/platform/map.js';
import type { PlatformTool } from '../../tools/tool.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import { conditionOf, resultKeysFor } from '../results.js';
import type { PlanPorts } from '../ports.js';
import { dueTasks, stepsByModel } from '../../dag/progress.js';
import { completedTasks, newestResults } from '../../dag/attempts.js';
import type { PlanState, PlanUpdate } from '../state.js';
import { emitter, now, type PlanStep } from './context.js';
import { BUDGET_EXCEEDED, isFailedModel, isShortOfBudget, modelFailed } from './model.js';
import { runGraphTool, type Step } from './graph-tools.js';

/**
 * Runs one plan step of a layer, by a worker or in the graph itself; steps of a layer run concurrently (P11).
 */
export function runTaskNode(ports: PlanPorts) {
  return async ({ plan_task: id, state }: TaskOfLayer, config: RunnableConfig): Promise<PlanUpdate> => {
    const task = state.tasks.find((each) => each.id === id)!;
    const newest = newestResults(state);
    const condition = await conditionOf(task, newest, ports);
    if (condition !== 'met') return { results: [unrunResult(task, state.layer, condition)] };
    const results = resultKeysFor(task, newest);
    const own = graphToolOf(task);
    if (own) return updateByGraphTool(ports, own, { task, keys: results, state }, config);
    const outcome = runRemotely('run_tool', {
      session_id: state.session_id,
      plan_task: id,
      tool: task.tool,
      arguments: task.arguments,
      results,
      ...(isUnseen(state, id) && { stays_on_host: true }),
      ...(state.item_outcomes?.[id] && { outcomes: state.item_outcomes[id] }),
      ...(task.timeout_seconds !== undefined && { timeout_ms: task.timeout_seconds * 1_000 }),
    });
    return { results: [resultOf(task, state.layer, outcome)] };
  };
}

async function updateByGraphTool(
  ports: PlanPorts,
  tool: PlatformTool<GraphToolPorts>,
  step: Step & { state: PlanState },
  config: RunnableConfig,
): Promise<PlanUpdate> {
  const { task, state } = step;
  try {
    return { results: [resultOf(task, state.layer, await runGraphTool(ports, tool, step, config))] };
  } catch (error) {
    if (!(error instanceof BudgetExceededError)) throw error;
    const refused = { code: BUDGET_EXCEEDED, ...messageOf(phrase('tool_error.budget')) };
    return {
      results: [resultOf(task, state.layer, { ok: false, error: refused })],
      budget_shortfall: error.shortfall,
    };
  }
}

/** Returns whether a model wrote a plan step, and no person has approved it. */
const isUnseen = (state: PlanState, id: string): boolean =>
  stepsByModel(state).includes(id) && !state.approved.includes(id);

/** Returns the tool that the graph runs itself: it needs the model or starts a run. */
function graphToolOf({ tool, arguments: args }: PlanTask): PlatformTool<GraphToolPorts> | undefined {
  const byName = (name: unknown) => graphTools.find(({ description }) => description.name === name);
  return tool === MAP && byName(args['tool']) ? mapTool : byName(tool);
}

const NO_RESULT = { result: null, result_key: null, bytes: 0, preview: '' };
const begunResult = ({ id, tool }: PlanTask, layer: number) => ({ task_id: id, tool, layer, at: now() });

/** Result of a plan step that is not run. */
function unrunResult(
  task: PlanTask,
  layer: number,
  condition: Exclude<Awaited<ReturnType<typeof conditionOf>>, 'met'>,
): PlanTaskResult {
  return {
    ...begunResult(task, layer),
    ...NO_RESULT,
    status: condition === 'not_met' ? 'skipped' : 'failed',
    error:
      condition === 'not_met'
        ? null
        : { code: 'invalid_arguments', ...messageOf(phrase('run_error.when_not_boolean')) },
  };
}

function resultOf(task: PlanTask, layer: number, outcome: RemoteOutcome<'run_tool'>): PlanTaskResult {
  const common = begunResult(task, layer);
  if (outcome.ok && !outcome.output.interrupted_items)
    return { ...common, status: 'completed', error: null, ...outcome.output };
  const failed = { ...common, ...NO_RESULT, status: 'failed' as const };
  if (!outcome.ok) return { ...failed, error: outcome.error };
  const items = outcome.output.interrupted_items!;
  const unknown = phrase('run_error.items_unknown', {
    count: items.length,
    items: items.slice(0, 20).join(', '),
  });
  return { ...failed, interrupted_items: items, error: { code: OUTCOME_UNKNOWN, ...messageOf(unknown) } };
}

/** Input of a plan step: the state at the start of its layer. */
interface TaskOfLayer {
  plan_task: string;
  state: PlanState;
}

/** Failed attempts at a plan step after which it is given up, even if another is requested. */
const MAX_ATTEMPTS = 5;

/** Completes a layer: emits its results to the client. This step's checkpoint contains them (P5). */
export function collectNode(ports: PlanPorts): PlanStep {
  return async (state, config) => {
    const emit = emitter(ports, config);
    const newest = newestResults(state);
    const ended = state.running.flatMap((id) => newest.get(id) ?? []);
    const isUnknown = ({ error }: PlanTaskResult) => error?.code === OUTCOME_UNKNOWN;
    for (const { task_id, tool, status, bytes, error, preview } of ended) {
      if (status === 'completed')
        emit('task_complete', { task_id, tool, layer: state.layer, bytes, preview });
      else if (status === 'skipped') emit('task_skipped', { task_id, tool, layer: state.layer });
      else emit('task_error', { task_id, tool, layer: state.layer, error });
    }
    emit('state_updated', {
      context_keys: ['results'],
      layer: state.layer + 1,
      done: completedTasks(state).length,
    });
    const text = `Layer ${state.layer + 1} is complete. ${ended.map(({ task_id, status }) => `${task_id}: ${status}`).join(', ')}.`;
    const [failed] = ended.filter((result) => isFailedModel(result));
    const tier = state.model_recovery.tier ?? 'main';
    return {
      ...(failed ? await modelFailed(ports, state, failed.error!, { operation: 'call_model', tier }) : {}),
      layer: state.layer + 1,
      approved: [],
      // An answer is about the calls that it was asked about, not about those of the task that followed it.
      item_outcomes: Object.fromEntries(
        Object.entries(state.item_outcomes ?? {}).filter(([id]) => !state.running.includes(id)),
      ),
      unknown: ended.filter(isUnknown).map(({ task_id }) => task_id),
      messages: [{ role: 'plan', text, results: ended.map(({ task_id }) => task_id), at: now() }],
      ...(await afterFailures(
        ports,
        state,
        ended.filter((result) => !isUnknown(result) && !isOfModel(result)),
      )),
    };
  };
}

/** Returns how the plan continues after these results: its planner gets the errors, or it gives up the failed steps. */
export async function afterFailures(
  ports: PlanPorts,
  state: PlanState,
  ended: PlanTaskResult[],
): Promise<PlanUpdate> {
  const over = givenUp(state, ended);
  if (over.length === 0) return {};
  const ids = over.map(({ task_id }) => task_id);
  const isOptional = (id: string) => state.tasks.some((task) => task.id === id && task.continue_on_error);
  const given_up = [...new Set([...(state.given_up ?? []), ...ids])];
  if (onTaskError(state) !== 'replan' || ids.every(isOptional) || (await ports.isOffline()))
    return { given_up };
  const errors = over.map(({ task_id, error }) => `${task_id}: ${error!.message}`);
  return { requirement: { new_requirement: repairing(errors), available_context: {}, given_up } };
}

/** Returns what a plan does after the failure of a task (P8). */
function onTaskError({ config, planning }: PlanState): NonNullable<PlanConfig['on_task_error']> {
  if (config.on_task_error) return config.on_task_error;
  const isAsked = ['per_layer', 'on_error'].includes(config.ail.decision_points);
  return planning?.planned_by === 'model' && !isAsked ? 'replan' : 'end';
}

/** Returns the requirement for the model that repairs a plan. */
const repairing = (errors: readonly string[]): string =>
  `Tasks failed, so the plan cannot go on as it is:\n${errors.join('\n')}\nChange these tasks, or find another way to what the request asks, and keep the other tasks that have not run. Name under "missing" what the data or tools cannot provide, and never replace data by invented ones.`;

/** Returns whether a person decides about a failure of a plan step, because its model failed or its budget is too low. */
const isOfModel = (result: PlanTaskResult): boolean => isFailedModel(result) || isShortOfBudget(result);

/** Returns the results of the plan steps that failed and are not repeated. */
function givenUp(state: PlanState, ended: PlanTaskResult[]): PlanTaskResult[] {
  const failed = ended.filter(({ status }) => status === 'failed');
  const attempts = (id: string) =>
    state.results.filter(
      (result) => result.task_id === id && result.status === 'failed' && !isOfModel(result),
    ).length;
  const rule = onTaskError(state);
  const isAsked = rule === 'ask' || ['per_layer', 'on_error'].includes(state.config.ail.decision_points);
  const allowed = isAsked ? MAX_ATTEMPTS : rule === 'retry' ? 2 : 1;
  const retriesOf = (id: string) => state.tasks.find((task) => task.id === id)?.retries;
  return failed.filter(({ task_id: id }) => attempts(id) >= (retriesOf(id) ?? allowed - 1) + 1);
}

/** Marks the due plan steps as the running layer. */
export function startLayer(ports: PlanPorts): PlanStep {
  return (state, config) => {
    const running = dueTasks(state).map(({ id }) => id);
    emitter(ports, config)('layer_started', { layer: state.layer, tasks: running });
    return { running, status: 'running' };
  };
}

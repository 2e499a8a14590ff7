import { dueTasks, needsApproval } from '../dag/progress.js';
import { failedTask } from '../dag/attempts.js';
import type { PlanState } from './state.js';

const isOver = ({ status }: PlanState): boolean => ['failed', 'rejected', 'aborted'].includes(status);

const hasFailedModel = ({ model_recovery: recovery }: PlanState): boolean => recovery.failure !== null;

/** Routes after planning and replanning: to the question about the model if it failed (X13). */
export function afterPlanning(state: PlanState): 'ask_model' | ReturnType<typeof beforeLayer> {
  return hasFailedModel(state) ? 'ask_model' : beforeLayer(state);
}

/** Routes after the decision about a failed model: back to the planning, or to what follows the layer. */
export function afterModel(state: PlanState): 'prepare' | 'replan' | ReturnType<typeof afterCollect> {
  if (state.status === 'planning') return 'prepare';
  return state.requirement && !isOver(state) ? 'replan' : afterCollect(state);
}

/** Routes to the next layer: first approval if required (P5), then commands (P4). */
export function beforeLayer(state: PlanState): 'approve' | 'commands' | 'finish' {
  if (isOver(state) || state.config.plan_only) return 'finish';
  return needsApproval(state) ? 'approve' : 'commands';
}

/** Routes after commands, which may have changed the due plan steps or requested a decision (P1). */
export function afterCommands(
  state: PlanState,
): 'ask_model' | 'agent' | 'ask_agent' | 'approve' | 'start_layer' | 'finish' {
  if (hasFailedModel(state)) return 'ask_model';
  if (isOver(state) || dueTasks(state).length === 0) return 'finish';
  if (state.decision_requested) return state.config.ail.agent === 'model' ? 'agent' : 'ask_agent';
  return needsApproval(state) ? 'approve' : 'start_layer';
}

/**
 * Routes after a layer and its checkpoint: first a person for each call that may have taken effect and for a
 * failed model, then the agent if it has a say (P1).
 */
export function afterCollect(
  state: PlanState,
): 'ask_outcome' | 'ask_model' | 'agent' | 'ask_agent' | ReturnType<typeof beforeLayer> {
  if (isOver(state)) return 'finish';
  if (state.unknown.length > 0) return 'ask_outcome';
  if (hasFailedModel(state)) return 'ask_model';
  const { decision_points: points, agent } = state.config.ail;
  const isFailed = failedTask(state) !== undefined;
  const isAsked =
    points === 'per_layer' || (isFailed && (points === 'on_error' || state.config.on_task_error === 'ask'));
  if (!isAsked) return beforeLayer(state);
  return agent === 'model' ? 'agent' : 'ask_agent';
}

/** Routes after the agent; a person decides where the model could not. */
export function afterAgent(state: PlanState): 'ask_agent' | 'replan' | ReturnType<typeof beforeLayer> {
  if (state.undecided) return 'ask_agent';
  return state.requirement && !isOver(state) ? 'replan' : beforeLayer(state);
}

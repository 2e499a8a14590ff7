import { detailOf, messageOf } from '#contracts/phrases/detail.js';
import type { TaskError } from '#contracts/task-error.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { askForBudget } from '#kit/graph/decision-nodes.js';
import { askAboutModel } from '#kit/graph/ask-about-model.js';
import { failureReport } from '#kit/graph/model-recovery.js';
import type { PlanTaskResult } from '../../contract/values.js';
import { newestResults } from '../../dag/attempts.js';
import { MAP } from '../../tools/platform/map.js';
import type { PlanPorts } from '../ports.js';
import type { PlanState, PlanUpdate } from '../state.js';
import type { PlanStep } from './context.js';

/** Operation that a plan asks a model for, and the tier of the model. */
interface Asked {
  operation: 'plan' | 'replan' | 'call_model';
  tier: 'main' | 'fast';
}

/** Returns the model that makes the plan. */
export const planningTier = ({ model_recovery: recovery }: PlanState): 'main' | 'fast' =>
  recovery.tier ?? 'main';

/** Returns whether a person chose that rules replan. */
export const replansByRules = ({ model_recovery: recovery }: PlanState): boolean =>
  recovery.rules || recovery.by_rules.includes('replan');

/** Returns whether the plan itself asks a model for a step; a child run asks a person about its own model and budget. */
const asksModel = ({ tool }: PlanTaskResult): boolean => tool === 'call_model' || tool === MAP;

/** Returns whether a plan step failed because the model that it asked did. */
export const isFailedModel = (result: PlanTaskResult): boolean =>
  asksModel(result) && result.error !== null && result.error.code.startsWith('model_');

export const BUDGET_EXCEEDED = 'budget_exceeded';

/** Returns whether a plan step did not ask its model, because a budget is too low. */
export const isShortOfBudget = (result: PlanTaskResult): boolean =>
  asksModel(result) && result.error?.code === BUDGET_EXCEEDED;

/** Returns the update that leads to the question about the failed model. */
export async function modelFailed(
  ports: Pick<PlanPorts, 'modelLabels'>,
  { model_recovery: recovery }: PlanState,
  error: TaskError,
  { operation, tier }: Asked,
): Promise<PlanUpdate> {
  const failure = failureReport(error, operation, tier, await ports.modelLabels());
  return { model_recovery: { ...recovery, failure } };
}

/**
 * X13: asks a person what to do about a failed model. Rules can add tools to a plan, but cannot make one or answer for a step.
 * Plan steps whose model failed are still due, so a retry approves them. Without an answer, the plan fails.
 */
export function askModelNode(ports: PlanPorts): PlanStep {
  return async (state) => {
    const asking = {
      model: await ports.modelLabels(),
      settings: { decisionDeadlineSeconds: state.config.hil.deadline_seconds },
    };
    const byRules = doneByRules(state);
    const decided = askAboutModel(asking, state.session_id, state.model_recovery, byRules);
    const failed = byRules === null ? failedPlanSteps(state, isFailedModel) : [];
    return {
      model_recovery: decided.recovery,
      approved: [...state.approved, ...failed],
      ...(decided.action === 'stop' ? stopped(state, failed) : {}),
    };
  };
}

/** Returns what rules can do instead of the model. */
const doneByRules = ({ model_recovery: { failure } }: PlanState): Phrase | null =>
  failure?.operation === 'replan' ? phrase('question.model_failed.replan_by_rules') : null;

/** X7: asks a person whether to raise a budget. Plan steps that lacked it are still due, so more budget approves them. */
export function askBudgetNode(ports: PlanPorts): PlanStep {
  return async (state) => {
    const asking = {
      model: ports.model,
      settings: { decisionDeadlineSeconds: state.config.hil.deadline_seconds },
    };
    if (await askForBudget(asking, state.session_id, state.budget_shortfall!))
      return {
        budget_shortfall: null,
        approved: [...state.approved, ...failedPlanSteps(state, isShortOfBudget)],
      };
    const error = { code: BUDGET_EXCEEDED, ...messageOf(phrase('run_error.budget_exceeded.saved')) };
    return { budget_shortfall: null, status: 'failed', error };
  };
}

/** Returns the ids of the last layer's plan steps with such a failure. */
function failedPlanSteps(state: PlanState, isSuch: (result: PlanTaskResult) => boolean): string[] {
  const newest = newestResults(state);
  return state.running.filter((id) => {
    const result = newest.get(id);
    return result !== undefined && isSuch(result);
  });
}

function stopped({ model_recovery: { failure } }: PlanState, failed: string[]): PlanUpdate {
  const { code, operation } = failure!;
  const verb = operation === 'replan' ? 'changed' : 'made';
  const where = failed.length === 0 ? phrase(`run_error.plan_failed.${verb}`) : failed.join(', ');
  const detail = phrase('run_error.with_saved_files', { where, error: detailOf(failure!) });
  return { status: 'failed', error: { code, ...messageOf(detail) } };
}

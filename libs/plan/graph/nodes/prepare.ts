import { detailOf, messageOf, type Detail } from '#contracts/phrases/detail.js';
import { englishText, joinDetails, phrase } from '#contracts/phrases/phrase.js';
import { BudgetExceededError, ModelFailure } from '#kit/graph/ports.js';
import { stepKey } from '#kit/graph/step.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { PlanTask, Planning } from '../../contract/values.js';
import { InvalidPlanError, layersOf } from '../../dag/dag.js';
import { planUpdate } from '../../dag/progress.js';
import { confidenceIn, suggestPlan } from '../../dag/suggest.js';
import { planByModel } from '../../planner/plan-by-model.js';
import type { InputGlance } from '../../planner/prompt.js';
import type { Toolbox } from '../../tools/toolbox.js';
import { originOf } from '../origin.js';
import type { PlanPorts } from '../ports.js';
import type { PlanState } from '../state.js';
import { emitter, type PlanStep } from './context.js';
import { modelFailed, plansByRules, planningTier } from './model.js';

interface Proposal {
  tasks: PlanTask[];
  confidence: number | null;
  planning: Planning | null;
  /** Parts of the request that the plan does not cover. */
  missing: Detail[];
  toolbox: Pick<Toolbox, 'tools'>;
}

/** Prepares the plan: checks the given one, or has one made for the request, by the model or by rules (P7). */
export function prepareNode(ports: PlanPorts): PlanStep {
  return async (state, config) => {
    try {
      const { tasks, confidence, planning, missing, toolbox } = await proposed(ports, state, config);
      if (plansByRules(state)) emitter(ports, config)('fallback_used', { stage: 'plan' });
      const failure = failureOf(tasks, planning?.planned_by === 'rules', missing, plansByRules(state));
      if (failure) return { tasks, planning, status: 'failed', error: failure };
      const byModel = planning?.planned_by === 'model' ? tasks.map(({ id }) => id) : [];
      const update = planUpdate(tasks, toolbox, await originOf(ports, tasks, byModel));
      emitter(ports, config)('plan_created', {
        tasks,
        layers: layersOf(tasks),
        confidence,
        planned_by: planning?.planned_by ?? null,
      });
      return { ...update, confidence, planning, status: 'running' };
    } catch (error) {
      if (error instanceof ModelFailure)
        return modelFailed(ports, state, error, { operation: 'plan', tier: planningTier(state) });
      const code = error instanceof BudgetExceededError ? 'budget_exceeded' : 'invalid_plan';
      const detail =
        error instanceof InvalidPlanError ? detailOf(error) : phrase('run_error.budget_exceeded.call');
      if (error instanceof BudgetExceededError || error instanceof InvalidPlanError)
        return { status: 'failed', error: { code, ...messageOf(detail) } };
      throw error;
    }
  };
}

/** Returns the given plan, or one made for the request, with the tools to check it. */
async function proposed(ports: PlanPorts, state: PlanState, config: RunnableConfig): Promise<Proposal> {
  const { tasks, intent } = state;
  if (tasks.length > 0 || intent === null)
    return { tasks, confidence: null, planning: null, missing: [], toolbox: await ports.tools() };
  const toolbox = await ports.toolbox();
  return (await ports.isOffline()) || plansByRules(state)
    ? proposedByRules(state, intent, toolbox, await ports.glance())
    : proposedByModel(ports, state, intent, toolbox, config);
}

function proposedByRules(
  { context }: PlanState,
  intent: string,
  toolbox: Toolbox,
  inputs: readonly InputGlance[],
): Proposal {
  const { tasks, confidence, not_covered } = suggestPlan(intent, context, toolbox, inputs);
  const missing = not_covered.map((part) => phrase('run_error.plan_incomplete.no_tool', { part }));
  if (missing.length > 0 && inputs.length === 0) missing.push(phrase('run_error.plan_incomplete.no_inputs'));
  const planning = {
    planned_by: 'rules' as const,
    understanding: null,
    outputs: [],
    assumptions: [],
    missing: missing.map(englishText),
  };
  return { tasks, confidence, planning, missing, toolbox };
}

async function proposedByModel(
  ports: PlanPorts,
  state: PlanState,
  intent: string,
  toolbox: Toolbox,
  config: RunnableConfig,
): Promise<Proposal> {
  const { context } = state;
  const [inputs, secrets] = [await ports.glance(), await ports.secrets()];
  const onWordsOnly = () => emitter(ports, config)('tools_found_by_words', { stage: 'plan' });
  const wanted = { intent, context, inputs, toolbox, secrets, tier: planningTier(state), onWordsOnly };
  const { tasks, ...told } = await planByModel(ports.model, wanted, stepKey(config), config.signal);
  const planning = { planned_by: 'model' as const, ...told };
  return { missing: told.missing, tasks, confidence: confidenceIn(tasks, toolbox), planning, toolbox };
}

/**
 * Returns why a proposal cannot be run; null if it can.
 *
 * @param hasModel true if rules made it because a person chose them
 */
function failureOf(
  tasks: readonly PlanTask[],
  byRules: boolean,
  missing: readonly Detail[],
  hasModel: boolean,
): PlanState['error'] {
  // Rules do not know what matters in the part that they did not understand; a model does.
  if (missing.length > 0 && (byRules || tasks.length === 0)) {
    const all = joinDetails('sentences', [...missing]);
    const why = hasModel ? 'chosen_rules' : 'no_model';
    const detail = byRules ? phrase(`run_error.plan_incomplete.${why}`, { missing: all }) : all;
    return { code: 'plan_incomplete', ...messageOf(detail) };
  }
  return tasks.length === 0 ? { code: 'no_tools', ...messageOf(phrase('run_error.no_tools')) } : null;
}

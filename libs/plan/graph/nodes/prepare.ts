import { detailOf, messageOf, type Detail } from '#contracts/phrases/detail.js';
import { englishText, joinDetails, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { BudgetExceededError, ModelFailure } from '#kit/graph/ports.js';
import { stepKey } from '#kit/graph/node.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { PlanTask, Planning } from '../../contract/values.js';
import { InvalidPlanError, layersOf } from '../../dag/dag.js';
import { planUpdate } from '../../dag/progress.js';
import { confidenceIn } from '../../dag/suggest.js';
import { needsModel } from '../../needs-model.js';
import { problemsOfGiven } from '../../planner/check.js';
import { planByModel } from '../../planner/plan-by-model.js';
import type { Toolbox } from '../../tools/toolbox.js';
import { originOf } from '../origin.js';
import type { PlanPorts } from '../ports.js';
import type { PlanState, PlanUpdate } from '../state.js';
import { emitter, type PlanStep } from './context.js';
import { modelFailed, planningTier } from './model.js';

interface Proposal {
  tasks: PlanTask[];
  confidence: number | null;
  planning: Planning | null;
  /** Parts of the request that the plan does not cover. */
  missing: Detail[];
  toolbox: Pick<Toolbox, 'tools'>;
}

/** Prepares the plan: checks the given one, or has the model make one for the request. */
export function prepareNode(ports: PlanPorts): PlanStep {
  return async (state, config) => {
    try {
      const { tasks, confidence, planning, missing, toolbox } = await proposed(ports, state, config);
      const failure = failureOf(tasks, missing);
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
      if (error instanceof BudgetExceededError) return { budget_shortfall: error.shortfall };
      if (error instanceof NoModelError) return failed('needs_model', error.phrase);
      if (error instanceof InvalidPlanError) return failed('invalid_plan', detailOf(error));
      throw error;
    }
  };
}

const failed = (code: string, detail: Detail): PlanUpdate => ({
  status: 'failed',
  error: { code, ...messageOf(detail) },
});

/** Returns the given plan, or one made for the request, with the tools to check it. */
async function proposed(ports: PlanPorts, state: PlanState, config: RunnableConfig): Promise<Proposal> {
  const { tasks, intent } = state;
  if (tasks.length > 0 || intent === null) {
    const toolbox = await ports.tools();
    await checkGiven(ports, tasks, toolbox);
    return { tasks, confidence: null, planning: null, missing: [], toolbox };
  }
  if (await ports.isOffline()) throw new NoModelError(needsModel({ intent })!.detail);
  return proposedByModel(ports, state, intent, await ports.toolbox(), config);
}

/**
 * Checks a given plan with the beginnings of its files; the gateway has checked everything else.
 *
 * @throws InvalidPlanError if a step names a column that its table lacks
 */
async function checkGiven(
  ports: PlanPorts,
  tasks: PlanTask[],
  { tools }: Pick<Toolbox, 'tools'>,
): Promise<void> {
  if (!tasks.some(({ tool }) => tool === 'parse_csv')) return;
  planUpdate(tasks, { tools });
  const named = new Set(tasks.map(({ arguments: args }) => args['name']));
  const inputs = await ports.glance((name) => named.has(name));
  const { schemas, codes } = ports;
  const problems = await problemsOfGiven(tasks, { tools, inputs, schemas, codes });
  if (problems.length > 0)
    throw new InvalidPlanError(
      phrase('invalid_plan.problems', { problems: problems.map(({ message }) => message).join(' ') }),
    );
}

/** The installation has no model that could plan for a request (X21). */
class NoModelError extends Error {
  constructor(readonly phrase: Phrase) {
    super(englishText(phrase));
  }
}

async function proposedByModel(
  ports: PlanPorts,
  state: PlanState,
  intent: string,
  toolbox: Toolbox,
  config: RunnableConfig,
): Promise<Proposal> {
  const { context } = state;
  const [inputs, secrets, collections] = await Promise.all([
    ports.glance(),
    ports.secrets(),
    ports.collections(),
  ]);
  const onWordsOnly = () => emitter(ports, config)('tools_found_by_words', { stage: 'plan' });
  const { schemas, codes } = ports;
  const wanted = {
    intent,
    context,
    inputs,
    toolbox,
    schemas,
    codes,
    secrets,
    collections,
    tier: planningTier(state),
    onWordsOnly,
  };
  const { tasks, ...told } = await planByModel(ports.model, wanted, stepKey(config), config.signal);
  const planning = { planned_by: 'model' as const, ...told };
  return { missing: told.missing, tasks, confidence: confidenceIn(tasks, toolbox), planning, toolbox };
}

/** Returns why a proposal cannot be run; null if it can. */
function failureOf(tasks: readonly PlanTask[], missing: readonly Detail[]): PlanState['error'] {
  if (tasks.length > 0) return null;
  return missing.length > 0
    ? { code: 'plan_incomplete', ...messageOf(joinDetails('sentences', [...missing])) }
    : { code: 'no_tools', ...messageOf(phrase('run_error.no_tools')) };
}

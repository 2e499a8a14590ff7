import { stepKey } from '#kit/graph/step.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { PlanTask, Planning } from '../../contract/values.js';
import { newestResults, settledTasks } from '../../dag/attempts.js';
import { planByModel } from '../../planner/plan-by-model.js';
import type { Toolbox } from '../../tools/toolbox.js';
import type { PlanPorts } from '../ports.js';
import { ReplanRefused, requireReplan, type Requirement } from '../replan.js';
import type { PlanState } from '../state.js';
import { emitter } from './context.js';
import { planningTier } from './model.js';

/**
 * Has the model replan what has not run. Tasks that ran stay unchanged (P7).
 *
 * @returns all tasks of the new plan, first the tasks that ran
 * @throws ReplanRefused, ModelFailure, BudgetExceededError, or the signal's reason
 */
export async function replanByModel(
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
    secrets: await ports.secrets(),
    soFar,
    tier: planningTier(state),
    onWordsOnly: () => emitter(ports, config)('tools_found_by_words', { stage: 'replan' }),
  };
  const key = `${stepKey(config)}/replan/${state.replans}`;
  const { tasks, ...told } = await planByModel(ports.model, wanted, key, config.signal);
  if (tasks.length === 0) throw new ReplanRefused('plan_incomplete', told.missing.join(' '));
  return { tasks: [...ran, ...tasks], planning: { planned_by: 'model', ...told } };
}

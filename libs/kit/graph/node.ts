import type { BudgetShortfall } from '#contracts/budgets.js';
import type { RunEvents } from '#engine/kind.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import { BudgetExceededError, type ModelPort } from './ports.js';
import { stepKey } from './step.js';
import { ask, type Operation } from './structured.js';

export type NodeFunction<State, Update> = (state: State, config: RunnableConfig) => Promise<Update>;

/**
 * Asks the model within a node. If its answers are unusable, an event reports that the fallback is used
 * (X13).
 *
 * @returns null if there is no model or the fallback must be used (B13)
 * @throws the errors of `ask`
 */
export async function askModel<T>(
  ports: { model: ModelPort; offline: boolean; emit: RunEvents['emit'] },
  operation: Operation<T>,
  config: RunnableConfig,
): Promise<T | null> {
  if (ports.offline) return null;
  const step = stepKey(config);
  const answer = await ask(ports.model, operation, step, config.signal);
  const effectKey = `${step}/fallback_used/${operation.name}`;
  if (answer === null) ports.emit({ type: 'fallback_used', data: { stage: operation.name }, effectKey });
  return answer;
}

/**
 * Wraps a node: if the budget is too low, the update is only the shortfall, which leads to the budget
 * decision (X7).
 */
export function budgeted<State, Update>(
  node: NodeFunction<State, Update>,
): NodeFunction<State, Update | { budget_shortfall: BudgetShortfall }> {
  return async (state, config) => {
    try {
      return await node(state, config);
    } catch (error) {
      if (error instanceof BudgetExceededError) return { budget_shortfall: error.shortfall };
      throw error;
    }
  };
}

/** Adds a stage whose deterministic fallback was used; each stage is listed once, in order. */
export function withStage(stages: string[], stage: string | null): string[] {
  return stage === null || stages.includes(stage) ? stages : [...stages, stage];
}

/** State fields that `instrumentNode` updates. */
interface Noted {
  node_timings: Record<string, number>;
  current_node: string | null;
}

/**
 * Measures a node, emits an event at its end with the identity of the step (B11, A10), and stores it as the
 * current node. The budget decision is not stored, because the run returns from it to the node that needs the
 * budget.
 *
 * @param details event data in addition to the node's name
 */
export function instrumentNode<State extends Noted, Update extends object>(
  name: string,
  emit: RunEvents['emit'],
  node: NodeFunction<State, Update>,
  details: (state: State) => Record<string, unknown> = () => ({}),
): NodeFunction<State, Update & Partial<Noted>> {
  return async (state, config) => {
    const began = performance.now();
    const update = await node(state, config);
    const ms = Math.round(performance.now() - began);
    const effectKey = `${stepKey(config)}/node_complete`;
    emit({ type: 'node_complete', data: { node: name, ms, ...details(state) }, effectKey });
    const timings = { ...state.node_timings, [`${name}_ms`]: (state.node_timings[`${name}_ms`] ?? 0) + ms };
    const at = name === 'budget_decision' ? {} : { current_node: name };
    return { ...update, ...at, node_timings: timings };
  };
}

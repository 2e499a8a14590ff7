import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { BudgetShortfall } from '#contracts/budgets.js';
import type { RunEvents } from '#engine/kind.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  afterNode,
  answerKey,
  failureReport,
  isOfNode,
  NO_RECOVERY,
  recoveryOf,
  withRecovery,
  type ModelRecovery,
} from './model-recovery.js';
import { BudgetExceededError, ModelFailure, type RunModel } from './ports.js';
import { ask, type Operation } from './structured.js';

export type NodeFunction<State, Update> = (state: State, config: RunnableConfig) => Promise<Update>;

/**
 * Asks the model within a node that is wrapped by `budgeted`. A repeated node gets its usable answers back
 * instead of asking again. An event reports an operation that rules do because a person chose it (X13).
 *
 * @returns null if the installation has no model, or a person chose that rules do the operation
 * @throws the errors of `ask`; a ModelFailure has its report
 */
export async function askModel<T>(
  ports: { model: RunModel; offline: boolean; emit: RunEvents['emit'] },
  operation: Operation<T>,
  config: RunnableConfig,
): Promise<T | null> {
  if (ports.offline) return null;
  const step = stepKey(config);
  const recovery = recoveryOf(config);
  const key = answerKey(operation);
  const kept = recovery.answers[key];
  if (kept !== undefined) {
    try {
      return await operation.read(kept);
    } catch {
      // It was usable only after a correction; it is asked for again.
      delete recovery.answers[key];
    }
  }
  if (recovery.rules || recovery.by_rules.includes(operation.name)) {
    const effectKey = `${step}/fallback_used/${operation.name}`;
    ports.emit({ type: 'fallback_used', data: { stage: operation.name }, effectKey });
    return null;
  }
  const tier = recovery.tier ?? operation.tier;
  const read = async (answer: string) => {
    const value = await operation.read(answer);
    recovery.answers[key] = answer;
    return value;
  };
  try {
    return await ask(ports.model, { ...operation, tier, read }, step, config.signal);
  } catch (error) {
    if (error instanceof ModelFailure) error.report = failureReport(error, operation.name, tier, ports.model);
    throw error;
  }
}

/** State of a graph whose nodes ask a model. A state saved by an older release lacks the recovery. */
interface Asking {
  model_recovery?: ModelRecovery;
}

/** Update of a node that could not ask the model. */
interface Interrupted {
  budget_shortfall?: BudgetShortfall;
  model_recovery: ModelRecovery;
}

/**
 * Wraps a node that asks a model. If the budget is too low, the update is the shortfall, which leads to the
 * budget decision (X7). If the model failed, it is the failure, which leads to the decision about the model
 * (X13). The run then repeats the node.
 */
export function budgeted<State extends Asking, Update extends object>(
  node: NodeFunction<State, Update>,
): NodeFunction<State, Update | Interrupted> {
  return async (state, config) => {
    const before = state.model_recovery ?? NO_RECOVERY;
    // `askModel` adds its answers to the copy.
    const recovery = { ...before, answers: { ...before.answers } };
    try {
      const update = await node(state, withRecovery(config, recovery));
      return isOfNode(before) ? { ...update, model_recovery: afterNode(before) } : update;
    } catch (error) {
      if (error instanceof BudgetExceededError)
        return { budget_shortfall: error.shortfall, model_recovery: recovery };
      if (error instanceof ModelFailure && error.report)
        return { model_recovery: { ...recovery, failure: error.report } };
      throw error;
    }
  };
}

/** Adds a stage whose deterministic fallback was used; each stage is listed once, in order. */
export function withStage(stages: string[], stage: string | null): string[] {
  return stage === null || stages.includes(stage) ? stages : [...stages, stage];
}

/** Returns a fact for a question about a text: which of its parts rules wrote, not a model. */
export const fallbackFacts = (stages: readonly string[]): Phrase[] =>
  stages.length === 0 ? [] : [phrase('fact.by_rules', { stages: stages.join(', ') })];

const RETURNING = ['budget_decision', 'model_decision'];

/** State fields that `instrumentNode` updates. */
interface Noted {
  node_timings: Record<string, number>;
  current_node: string | null;
}

/**
 * Measures a node, emits an event at its end with the identity of the step (B11, A10), and adds to its update.
 *
 * @param details event data in addition to the node's name and time
 * @param added what the update gets in addition, by the state before and the time in ms
 */
export function reportNode<State, Update extends object, Added extends object>(
  name: string,
  emit: RunEvents['emit'],
  node: (...args: Parameters<NodeFunction<State, Update>>) => Update | Promise<Update>,
  details: (state: State) => Record<string, unknown>,
  added: (state: State, ms: number) => Added,
): NodeFunction<State, Update & Added> {
  return async (state, config) => {
    const began = performance.now();
    const update = await node(state, config);
    const ms = Math.round(performance.now() - began);
    const effectKey = `${stepKey(config)}/node_complete`;
    emit({ type: 'node_complete', data: { node: name, ms, ...details(state) }, effectKey });
    return { ...update, ...added(state, ms) };
  };
}

/**
 * Reports a node, and stores it as the current one with its time. The decisions about budget and model are not
 * stored, because the run returns from them to the node that needs the budget or the model.
 */
export function instrumentNode<State extends Noted, Update extends object>(
  name: string,
  emit: RunEvents['emit'],
  node: NodeFunction<State, Update>,
  details: (state: State) => Record<string, unknown> = () => ({}),
): NodeFunction<State, Update & Partial<Noted>> {
  return reportNode(name, emit, node, details, ({ node_timings: timings }, ms) => ({
    ...(RETURNING.includes(name) ? {} : { current_node: name }),
    node_timings: { ...timings, [`${name}_ms`]: (timings[`${name}_ms`] ?? 0) + ms },
  }));
}

/**
 * Returns the key of the step that a node runs in. It is the same when the step is repeated after a crash,
 * and unique to the step. Effects carry it, so that repeating them changes nothing (X4).
 */
export function stepKey(config: RunnableConfig): string {
  const namespace: unknown = config.metadata?.langgraph_checkpoint_ns ?? config.configurable?.checkpoint_ns;
  if (typeof namespace !== 'string' || namespace === '') throw new Error('a node ran outside a graph');
  return namespace;
}

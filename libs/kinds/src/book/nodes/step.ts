import { stepKey } from '#agent/step.js';
import { BudgetExceededError } from '#agent/ports.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import { ask, type Operation } from '../model/structured.js';
import type { BookPorts } from '../ports.js';
import type { BookState, BookUpdate } from '../state.js';

export type BookNodeFunction = (state: BookState, config: RunnableConfig) => Promise<BookUpdate>;

/** Asks the model within a node; null when there is none, or when it could not answer and the fallback has to (B13). */
export async function askModel<T>(
  ports: BookPorts,
  operation: Operation<T>,
  config: RunnableConfig,
): Promise<T | null> {
  if (ports.offline) return null;
  return ask(ports.model, operation, stepKey(config), config.signal);
}

/** A node that a short budget sends to the decision about it, with nothing changed (X7). */
export function budgeted(node: BookNodeFunction): BookNodeFunction {
  return async (state, config) => {
    try {
      return await node(state, config);
    } catch (error) {
      if (error instanceof BudgetExceededError) return { budget_shortfall: error.shortfall };
      throw error;
    }
  };
}

/** The stages whose deterministic fallback has answered, each once, in order. */
export function withStage(stages: string[], stage: string | null): string[] {
  return stage === null || stages.includes(stage) ? stages : [...stages, stage];
}

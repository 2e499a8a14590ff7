import { sha256 } from '#contracts/sha256.js';
import type { ModelFailureReport } from '#contracts/model-facts.js';
import type { TaskError } from '#contracts/task-error.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { ModelPort, RunModel } from './ports.js';
import type { Operation } from './structured.js';

/** State of a run after a model failure (X13): the failure, and the decision of a person about it. */
export interface ModelRecovery {
  /** The failure that a person is asked about; null if the model can be asked. */
  failure: ModelFailureReport | null;
  /** Model that answers every operation from now on; null for each operation's own model. */
  tier: 'main' | 'fast' | null;
  /** True if rules do every further operation. */
  rules: boolean;
  /** Operations of the interrupted node that rules do. */
  by_rules: string[];
  /** Usable answers of the interrupted node by `answerKey`, so that they are not asked for again. */
  answers: Record<string, string>;
}

export const NO_RECOVERY: ModelRecovery = {
  failure: null,
  tier: null,
  rules: false,
  by_rules: [],
  answers: {},
};

const CONFIG_KEY = 'model_recovery';

/** Returns the config with what `askModel` has to know about the run's model. */
export function withRecovery(config: RunnableConfig, recovery: ModelRecovery): RunnableConfig {
  return { ...config, configurable: { ...config.configurable, [CONFIG_KEY]: recovery } };
}

export function recoveryOf({ configurable }: RunnableConfig): ModelRecovery {
  // A copy, because `askModel` adds answers to it.
  return (configurable?.[CONFIG_KEY] as ModelRecovery | undefined) ?? { ...NO_RECOVERY, answers: {} };
}

/** Identifies an answer by its operation and prompt. */
export function answerKey({ name, system, prompt }: Omit<Operation<unknown>, 'read'>): string {
  const hash = sha256(`${system}\n${prompt}`, 'base64url');
  return `${name}/${hash.slice(0, 16)}`;
}

/** Returns the state after the interrupted node is complete: the decisions about this node are used up. */
export const afterNode = (recovery: ModelRecovery): ModelRecovery => ({
  ...recovery,
  by_rules: [],
  answers: {},
});

/** Returns whether the recovery has decisions or answers of the interrupted node. */
export const isOfNode = ({ by_rules: operations, answers }: ModelRecovery): boolean =>
  operations.length > 0 || Object.keys(answers).length > 0;

/** Returns the report of a failed operation. */
export function failureReport(
  { code, message, phrase }: TaskError,
  operation: string,
  tier: NonNullable<Parameters<ModelPort['call']>[0]['tier']>,
  { label, fastLabel }: Pick<RunModel, 'label' | 'fastLabel'>,
): ModelFailureReport {
  return {
    code,
    message,
    ...(phrase ? { phrase } : {}),
    operation,
    model: tier === 'fast' ? fastLabel : label,
  };
}

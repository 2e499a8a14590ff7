import { stepKey } from '#kit/graph/node.js';
import type { RunEventType } from '#catalogue/events.js';
import type { PlanDecision } from '../../contract/values.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { PlanPorts } from '../ports.js';
import type { PlanState, PlanUpdate } from '../state.js';

export type PlanStep = (state: PlanState, config: RunnableConfig) => Promise<PlanUpdate> | PlanUpdate;

/**
 * Returns a function that emits events of one step, with the step's key, so that a repeated step adds
 * nothing.
 */
export function emitter({ emit }: PlanPorts, config: RunnableConfig) {
  const step = stepKey(config);
  let count = 0;
  return (type: RunEventType, data: Record<string, unknown>): void =>
    emit({ type, data, effectKey: `${step}/${type}/${count++}` });
}

export const now = (): string => new Date().toISOString();

export function decision(
  given: Omit<PlanDecision, 'at' | 'reason'> & { reason?: string | null | undefined },
): PlanDecision {
  return { ...given, reason: given.reason ?? null, at: now() };
}

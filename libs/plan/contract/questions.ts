import type { QuestionDefinition } from '#contracts/run-kind.js';
import { agentAnswerSchema, approvalAnswerSchema, outcomeAnswerSchema, planPauseSchema } from './values.js';

/**
 * `plan_agent` (P1: an agent decides after a layer), `plan_approval` (P5: a person approves the next layer),
 * `plan_outcome` (a person reports the outcome of an interrupted call).
 */
export const planQuestions = {
  plan_agent: { details: planPauseSchema, answer: () => agentAnswerSchema },
  plan_approval: { details: planPauseSchema, answer: () => approvalAnswerSchema },
  plan_outcome: { details: planPauseSchema, answer: () => outcomeAnswerSchema },
} as const satisfies Record<string, QuestionDefinition>;

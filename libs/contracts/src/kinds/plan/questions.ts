import type { QuestionDefinition } from '../run-kind.js';
import { agentAnswerSchema, approvalAnswerSchema, planPauseSchema } from './schemas.js';

/** `plan_agent` (P1: an agent decides after a layer), `plan_approval` (P5: a person approves the next layer). */
export const planQuestions = {
  plan_agent: { details: planPauseSchema, answer: () => agentAnswerSchema },
  plan_approval: { details: planPauseSchema, answer: () => approvalAnswerSchema },
} as const satisfies Record<string, QuestionDefinition>;

import { earlyAnswerSchema } from '#contracts/api/schemas.js';
import { answerJsonSchema, decisionRequestSchema } from '#contracts/decisions.js';
import type { DecisionRow } from '#db/repositories/decisions.js';
import { view } from '../http/view.js';
import { shownTitle } from '../runs/views.js';
import type { EarlyAnswer } from '#db/repositories/early-answers.js';

const statuses: Record<string, 'open' | 'answered' | 'closed'> = { pending: 'open', completed: 'answered' };

/** @param titles of sessions that have one, by ID */
export function decisionView(row: DecisionRow, titles: ReadonlyMap<string, string>) {
  const request = decisionRequestSchema.parse(row.input);
  return {
    id: row.id,
    run_id: row.runId,
    session_id: row.run.sessionId,
    run_kind: row.run.kind,
    run_title: shownTitle(titles.get(row.run.sessionId) ?? null, row.run.summary),
    status: statuses[row.status] ?? 'closed',
    decision_type: request.decision_type,
    question: request.question,
    phrase: request.phrase,
    references: request.references,
    context: request.context,
    context_phrases: request.context_phrases,
    details: request.details,
    budget: request.budget ?? null,
    answer_schema: answerJsonSchema(request),
    default_answer: request.default_answer,
    answer: row.output as Record<string, unknown> | null,
    answered_by: row.completedBy,
    answered_at: row.completedAt?.toISOString() ?? null,
    assignee: row.assignee,
    quorum: row.quorum,
    votes: row.votes.map(({ apiKeyId, answer, votedAt }) => ({
      api_key_id: apiKeyId,
      answer: answer as Record<string, unknown>,
      voted_at: votedAt.toISOString(),
    })),
    deadline: row.deadline?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

export const earlyAnswerView = (row: EarlyAnswer) =>
  view(earlyAnswerSchema, row, { answer: row.answer as Record<string, unknown> });

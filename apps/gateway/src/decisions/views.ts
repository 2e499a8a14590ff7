import { answerJsonSchema, decisionRequestSchema } from '#contracts/decisions.js';
import type { DecisionRow } from '#db/repositories/decisions.js';

const statuses: Record<string, 'open' | 'answered' | 'closed'> = { pending: 'open', completed: 'answered' };

export function decisionView(row: DecisionRow) {
  const request = decisionRequestSchema.parse(row.input);
  return {
    id: row.id,
    run_id: row.runId,
    session_id: row.run.sessionId,
    status: statuses[row.status] ?? 'closed',
    decision_type: request.decision_type,
    question: request.question,
    references: request.references,
    context: request.context,
    answer_schema: answerJsonSchema(request),
    default_answer: request.default_answer,
    answer: row.output as Record<string, unknown> | null,
    answered_by: row.completedBy,
    deadline: row.deadline?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

import { earlyAnswerSchema } from '#catalogue/run-schemas.js';
import { answerJsonSchema, decisionRequestSchema, type DecisionRequest } from '#catalogue/decisions.js';
import { type Finding, findingSchema, type OverruledFinding, withOverruled } from '#contracts/findings.js';
import type { DecisionRow, EarlyAnswer } from '#db/repositories/decisions.js';
import type { SessionRuling } from '#db/repositories/overruled-findings.js';
import { z } from 'zod';
import { view } from '../http/view.js';
import { shownTitle } from '../runs/views.js';

const statuses: Record<string, 'open' | 'answered' | 'closed'> = { pending: 'open', completed: 'answered' };

/** Fields of the details that hold findings, of any kind of question. */
const FINDINGS = ['findings', 'annotations'];
const findingsSchema = z.array(findingSchema);

/** Returns the findings that a decision shows. */
export const findingsIn = ({ input }: DecisionRow): Finding[] =>
  FINDINGS.flatMap(
    (field) => findingsSchema.safeParse(decisionRequestSchema.parse(input).details[field]).data ?? [],
  );

/** Returns the details of a question, whose findings show what their author has said since. */
function shownDetails({ details }: DecisionRequest, rulings: OverruledFinding[]): Record<string, unknown> {
  const shown = FINDINGS.flatMap((field) => {
    const { data } = findingsSchema.safeParse(details[field]);
    return data ? [[field, withOverruled(data, rulings)] as const] : [];
  });
  return { ...details, ...Object.fromEntries(shown) };
}

/** @param rulings about findings of this and other sessions */
export function decisionView(row: DecisionRow, rulings: readonly SessionRuling[]) {
  const request = decisionRequestSchema.parse(row.input);
  return {
    id: row.id,
    run_id: row.runId,
    session_id: row.run.sessionId,
    run_kind: row.run.kind,
    run_title: shownTitle(row.run.session.title, row.run.summary),
    status: statuses[row.status] ?? 'closed',
    decision_type: request.decision_type,
    question: request.question,
    phrase: request.phrase,
    references: request.references,
    context: request.context,
    context_phrases: request.context_phrases,
    details: shownDetails(
      request,
      rulings.filter(({ sessionId }) => sessionId === row.run.sessionId),
    ),
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
    reminded_at: row.remindedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

export const earlyAnswerView = (row: EarlyAnswer) =>
  view(earlyAnswerSchema, row, { answer: row.answer as Record<string, unknown> });

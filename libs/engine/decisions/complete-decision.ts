import { Prisma } from '#db/client.js';
import { afterCompletion, writeCompletion, type Completion } from '../tasks/complete.js';
import type { Engine } from '../engine.js';

/** The columns of a decision that an answer needs. */
export interface OpenDecision {
  id: string;
  runId: string;
}

/**
 * CTE that writes the audit log's entry in the answer's statement: who, when, the answer and its hash (X3).
 */
const audited = (by: string) => Prisma.sql`
    audited AS (
      INSERT INTO audit_log (tenant_id, actor, action, resource, outcome, details)
      SELECT tenant_id, ${by}, 'decisionAnswered', id, 'done',
             jsonb_build_object('answer', output, 'sha256', encode(sha256(convert_to(output::text, 'UTF8')), 'hex'))
      FROM task
    ),`;

/**
 * CTE that marks the early answers that an answer consists of. Without it, a crash after the answer would
 * leave them waiting forever.
 */
const marked = (early: readonly string[]) => Prisma.sql`
    marked AS (
      UPDATE early_answers early SET status = 'applied', decision_id = task.id
      FROM task
      WHERE early.id = ANY(${early}::text[]) AND early.tenant_id = task.tenant_id AND early.status = 'waiting'
    ),`;

/**
 * Returns the completion of a decision, with its event, its audit entry and the mark on its early answers.
 */
export function completionOf(
  decision: OpenDecision,
  answer: Record<string, unknown>,
  by: string,
  { condition, early = [] }: { condition?: Prisma.Sql; early?: readonly string[] } = {},
): Completion {
  return {
    taskId: decision.id,
    runId: decision.runId,
    result: { ok: true, output: answer },
    by,
    event: {
      type: 'decision_answered',
      data: { decision_id: decision.id, by, answer },
      effectKey: `decision_answered/${decision.id}`,
    },
    alongside: early.length === 0 ? audited(by) : Prisma.sql`${audited(by)}${marked(early)}`,
    ...(condition ? { condition } : {}),
  };
}

/**
 * Answers a decision, with its event and its audit entry.
 *
 * @param by an API key's ID, or `deadline`
 * @param early IDs of the early answers that the answer consists of
 * @returns false if it was already answered or cancelled; nothing was changed then
 */
export async function completeDecision(
  engine: Engine,
  decision: OpenDecision,
  answer: Record<string, unknown>,
  by: string,
  early: readonly string[] = [],
): Promise<boolean> {
  const row = await writeCompletion(engine.db.$statement, completionOf(decision, answer, by, { early }));
  if (!row) return false;
  await afterCompletion(engine, decision.id, row);
  return true;
}
